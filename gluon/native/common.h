/* What every kernel needs, included before the compiler is told of a kind of processor. */
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "threads.h"
#include "variants.h"

/* The headers of every kernel, included before the compiler's target is set. */
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "threads.h"

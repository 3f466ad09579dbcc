/* The files of the families, for one REAL; see variant.h. */
#include "products.h"
#include "sums.h"

#include "activation.c"
#include "conv.c"
#include "elementwise.c"
#include "indexing.c"
#include "optimizer.c"
#include "rnn.c"
#include "normalization.c"
#include "reduce.c"
#include "pool.c"
#include "scan.c"

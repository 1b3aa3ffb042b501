#include "data/readers/fvecs.h"
#include "fuzz_target.h"
#include "use_matrix.h"

PITH_FUZZ_TARGET(fvecs) {
  pith::fuzz::use_matrix(pith::read_fvecs(pith::fuzz::bytes_of_input(input, "input.fvecs")));
}

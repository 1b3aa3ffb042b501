#include "data/readers/npy.h"
#include "fuzz_target.h"
#include "use_matrix.h"

PITH_FUZZ_TARGET(npy) {
  pith::fuzz::use_matrix(pith::read_npy(pith::fuzz::bytes_of_input(input, "input.npy")));
}

#include "data/readers/npz.h"
#include "fuzz_target.h"
#include "use_matrix.h"

PITH_FUZZ_TARGET(npz) {
  pith::fuzz::use_matrix(pith::read_npz(pith::fuzz::bytes_of_input(input, "input.npz"), ""));
}

#include "data/readers/safetensors.h"
#include "fuzz_target.h"
#include "use_matrix.h"

PITH_FUZZ_TARGET(safetensors) {
  pith::fuzz::use_matrix(pith::read_safetensors(pith::fuzz::bytes_of_input(input, "input.safetensors"), ""));
}

#include "data/readers/csv.h"
#include "fuzz_target.h"
#include "use_matrix.h"

PITH_FUZZ_TARGET(csv) {
  for (const char delimiter : {',', '\t'}) {
    try {
      pith::fuzz::use_matrix(pith::read_csv(pith::fuzz::bytes_of_input(input, "input.csv"), delimiter));
    } catch (const pith::Error&) {
    }
  }
}

#include "data/manifest.h"
#include "fuzz_target.h"

PITH_FUZZ_TARGET(manifest) {
  for (const char* name : {"ids.txt", "ids.csv", "ids.tsv", "ids.jsonl"}) {
    for (const std::size_t expected : {1, 2, 3}) {
      try {
        (void)pith::parse_ids(pith::fuzz::bytes_of_input(input, name), expected);
      } catch (const pith::Error&) {
      }
    }
  }
}

#define PITH_FUZZ_REPLAY

#include "support/fuzz_replay.h"

#include "../../fuzz/results_fuzz.cpp"

namespace pith {
namespace {

TEST(ResultsFuzzReplay, only_errors_escape) {
  testing::replay_corpus("results", fuzz_results);
}

}  // namespace
}  // namespace pith

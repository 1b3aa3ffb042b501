#define PITH_FUZZ_REPLAY

#include "support/fuzz_replay.h"

#include "../../fuzz/map_file_fuzz.cpp"

namespace pith {
namespace {

TEST(MapFuzzReplay, a_file_is_a_map_or_none) {
  testing::replay_corpus("map_file", fuzz_map_file);
}

}  // namespace
}  // namespace pith

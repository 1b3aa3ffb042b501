#define PITH_FUZZ_REPLAY

#include "support/fuzz_replay.h"

#include "../../fuzz/image_fuzz.cpp"

namespace pith {
namespace {

TEST(ImageFuzzReplay, only_errors_escape) {
  testing::replay_corpus("image", fuzz_image);
}

}  // namespace
}  // namespace pith

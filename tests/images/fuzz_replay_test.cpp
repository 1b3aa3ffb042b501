#define PITH_FUZZ_REPLAY

#include "support/fuzz_replay.h"

#include "../../fuzz/dataset_fuzz.cpp"
#include "../../fuzz/image_fuzz.cpp"

namespace pith {
namespace {

TEST(ImageFuzzReplay, only_errors_escape) {
  testing::replay_corpus("image", fuzz_image);
  testing::replay_corpus("dataset", fuzz_dataset);
}

}  // namespace
}  // namespace pith

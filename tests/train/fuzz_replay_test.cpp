#define PITH_FUZZ_REPLAY

#include "support/fuzz_replay.h"

#include "../../fuzz/model_file_fuzz.cpp"

namespace pith {
namespace {

TEST(ModelFileFuzzReplay, only_errors_escape) {
  testing::replay_corpus("model_file", fuzz_model_file);
}

}  // namespace
}  // namespace pith

#define PITH_FUZZ_REPLAY

#include "support/fuzz_replay.h"

#include "../../fuzz/serve_request_fuzz.cpp"

namespace pith {
namespace {

TEST(ServeFuzzReplay, every_request_gets_an_answer) {
  // Twice: the second time there are choices to ask about.
  testing::replay_corpus("serve_request", fuzz_serve_request, 2);
}

}  // namespace
}  // namespace pith

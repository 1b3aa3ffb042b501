// Runs the fuzz target of the explorer over its saved corpus, as tests/unit/fuzz_replay_test.cpp does for the
// readers.
#define PITH_FUZZ_REPLAY

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "../../fuzz/serve_request_fuzz.cpp"
#include "support/files.h"

namespace pith {
namespace {

TEST(ServeFuzzReplay, every_request_gets_an_answer) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(testing::corpus_path("serve_request")))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  // Twice: the second time there are choices to ask about.
  for (int round = 0; round < 2; ++round)
    for (const auto& file : files) {
      SCOPED_TRACE(file);
      const std::string contents = testing::file_contents(file.native());
      const std::unique_ptr<std::byte[]> block(new std::byte[contents.size()]);
      std::transform(contents.begin(), contents.end(), block.get(),
                     [](char c) { return static_cast<std::byte>(c); });
      fuzz_serve_request({block.get(), contents.size()});
    }
}

}  // namespace
}  // namespace pith

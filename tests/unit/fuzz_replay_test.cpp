// Runs every fuzz target over its saved corpus: the hand-made seeds and whatever once crashed a reader.
#define PITH_FUZZ_REPLAY

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "../../fuzz/cap_file_fuzz.cpp"
#include "../../fuzz/column_fuzz.cpp"
#include "../../fuzz/csv_fuzz.cpp"
#include "../../fuzz/fvecs_fuzz.cpp"
#include "../../fuzz/graph_file_fuzz.cpp"
#include "../../fuzz/item_list_fuzz.cpp"
#include "../../fuzz/labels_fuzz.cpp"
#include "../../fuzz/manifest_fuzz.cpp"
#include "../../fuzz/npy_fuzz.cpp"
#include "../../fuzz/npz_fuzz.cpp"
#include "../../fuzz/safetensors_fuzz.cpp"
#include "support/files.h"

namespace pith {
namespace {

struct Target {
  const char* name;
  void (*run)(std::span<const std::byte>);
};

std::ostream& operator<<(std::ostream& out, const Target& target) {
  return out << target.name;
}

class FuzzReplay : public ::testing::TestWithParam<Target> {};

TEST_P(FuzzReplay, OnlyErrorsEscape) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(testing::corpus_path(GetParam().name))) {
    SCOPED_TRACE(entry.path());
    const std::string contents = testing::file_contents(entry.path().native());
    // A block of exactly the input's size, so that the sanitizers see the first byte read beyond it.
    const std::unique_ptr<std::byte[]> block(new std::byte[contents.size()]);
    std::transform(contents.begin(), contents.end(), block.get(),
                   [](char c) { return static_cast<std::byte>(c); });
    try {
      GetParam().run({block.get(), contents.size()});
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    } catch (const std::exception& other) {
      ADD_FAILURE() << other.what();
    }
    ++files;
  }
  EXPECT_GT(files, 0U);
}

INSTANTIATE_TEST_SUITE_P(Corpora, FuzzReplay,
                         ::testing::Values(Target{"cap_file", fuzz_cap_file}, Target{"column", fuzz_column},
                                           Target{"csv", fuzz_csv}, Target{"labels", fuzz_labels},
                                           Target{"graph_file", fuzz_graph_file}, Target{"fvecs", fuzz_fvecs},
                                           Target{"item_list", fuzz_item_list},
                                           Target{"manifest", fuzz_manifest}, Target{"npy", fuzz_npy},
                                           Target{"npz", fuzz_npz}, Target{"safetensors", fuzz_safetensors}),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace pith

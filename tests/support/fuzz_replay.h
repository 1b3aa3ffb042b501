#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "pith/error.h"
#include "support/files.h"

namespace pith::testing {

/// Runs a fuzz target over its saved corpus: the hand-made seeds and whatever once crashed it. Nothing but
/// errors of one line may escape.
inline void replay_corpus(const char* name, void (*run)(std::span<const std::byte>), int rounds = 1) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpus_path(name)))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  for (int round = 0; round < rounds; ++round)
    for (const auto& file : files) {
      SCOPED_TRACE(file);
      const std::string contents = file_contents(file.native());
      // A block of exactly the input's size, so that the sanitizers see the first byte read beyond it.
      const std::unique_ptr<std::byte[]> block(new std::byte[contents.size()]);
      std::transform(contents.begin(), contents.end(), block.get(),
                     [](char c) { return static_cast<std::byte>(c); });
      try {
        run({block.get(), contents.size()});
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      } catch (const std::exception& other) {
        ADD_FAILURE() << other.what();
      }
    }
}

}  // namespace pith::testing

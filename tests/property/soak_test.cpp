#include <gtest/gtest.h>
#include <malloc.h>

#include <filesystem>
#include <fstream>

#include "strategy/registry.h"
#include "support/runs.h"
#include "support/sanitized.h"
#include "support/strategy_data.h"

namespace pith {
namespace {

namespace fs = std::filesystem;
using testing::sanitized;

struct Held {
  std::int64_t bytes = 0;  ///< in use on the heap
  std::int64_t threads = 0;
  std::int64_t handles = 0;
};

std::int64_t entries_of(const char* folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

Held held_now() {
  const struct mallinfo2 heap = mallinfo2();
  return {.bytes = static_cast<std::int64_t>(heap.uordblks + heap.hblkhd),
          .threads = entries_of("/proc/self/task"),
          .handles = entries_of("/proc/self/fd")};
}

/// One process that selects over and over, as a server or a notebook does, with every strategy in turn, from
/// data of several sizes.
TEST(soak, a_thousand_selections_leave_nothing_behind) {
  constexpr std::size_t until_warm = 100;
  constexpr std::size_t selections = sanitized ? 150 : 1000;
  std::vector<testing::StrategyData> sizes;
  for (const std::size_t items : {90U, 120U, 150U}) sizes.emplace_back(items, items, items);
  const auto once = [&](std::size_t at) {
    const auto& all = strategies();
    const testing::StrategyData& data = sizes[at / all.size() % sizes.size()];
    SelectOptions options;
    options.strategy = all[at % all.size()].name;
    options.budget.amount = std::int64_t{12};
    EXPECT_GT(select(data.input, options, testing::with_threads(2)).picks.size(), 0U) << options.strategy;
  };
  for (std::size_t at = 0; at < until_warm; ++at) once(at);
  const Held before = held_now();
  for (std::size_t at = 0; at < selections; ++at) once(until_warm + at);
  const Held after = held_now();
  EXPECT_LE(after.threads, before.threads);
  EXPECT_EQ(after.handles, before.handles);
  // A leak of a byte an item and selection would be 120 kB.
  if (!sanitized) {
    EXPECT_LT(after.bytes - before.bytes, 60'000);
  }
}

}  // namespace
}  // namespace pith

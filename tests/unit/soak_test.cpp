#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/rng.h"
#include "pith/select.h"
#include "support/runs.h"

namespace pith {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // they keep what was freed, and take their time
#else
constexpr bool sanitized = false;
#endif

/// What a process holds that could pile up.
struct Holdings {
  std::size_t bytes = 0;
  std::size_t handles = 0;
  std::size_t threads = 0;
};

std::size_t entries_of(const char* folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

Holdings holdings() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;  // the second is what is resident
  return {.bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
          .handles = entries_of("/proc/self/fd"),
          .threads = entries_of("/proc/self/task")};
}

SelectInput some_input(std::size_t n, Rng& rng) {
  constexpr std::size_t dimension = 8;
  constexpr std::size_t classes = 5;
  std::vector<float> rows(n * dimension);
  for (float& x : rows) x = static_cast<float>(rng.unit() - 0.5);
  std::vector<float> probs;
  for (std::size_t item = 0; item < n; ++item) {
    const auto best = static_cast<float>(0.3 + 0.6 * rng.unit());
    const std::size_t label = rng.below(classes);
    for (std::size_t c = 0; c < classes; ++c) probs.push_back(c == label ? best : (1 - best) / (classes - 1));
  }
  SelectInput input;
  input.embeddings = Matrix::of_floats(std::move(rows), n, dimension, "e.npy");
  input.probabilities.members.push_back(Matrix::of_floats(std::move(probs), n, classes, "p.npy"));
  input.predictions = read_predictions(input.probabilities, UncertaintyKind::margin);
  return input;
}

/// A service chooses all day: nothing may pile up.
TEST(Soak, a_thousand_selections_in_one_process_leave_nothing_behind) {
  constexpr int selections = sanitized ? 150 : 1000;
  constexpr int until_warm = selections / 5;
  const char* const strategies[] = {"submod-bal",        "submod", "k-center", "margin",
                                    "facility-location", "badge"};
  Rng rng(1);
  Holdings warm;
  for (int at = 0; at < selections; ++at) {
    if (at == until_warm) warm = holdings();
    const SelectInput input = some_input(300 + static_cast<std::size_t>(at % 7) * 50, rng);
    SelectOptions options;
    options.strategy = strategies[static_cast<std::size_t>(at) % std::size(strategies)];
    options.budget.amount = std::int64_t{30};
    ASSERT_EQ(select(input, options, testing::with_threads(2)).picks.size(), 30U);
  }
  const Holdings after = holdings();
  EXPECT_EQ(after.handles, warm.handles);
  EXPECT_EQ(after.threads, warm.threads);
  if (!sanitized) {
    EXPECT_LT(after.bytes, warm.bytes + (std::size_t{2} << 20));
  }
}

}  // namespace
}  // namespace pith

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "constraint/feasibility.h"
#include "support/tiny_npy.h"

namespace constraint_golden {
namespace {

const std::filesystem::path data = std::filesystem::path(PITH_SOURCE_DIR) / "tests/golden/data";

pith::Predictions predictions_of(const TinyMatrix& probabilities) {
  pith::Predictions made;
  made.classes = static_cast<std::uint32_t>(probabilities.cols);
  for (std::size_t i = 0; i < probabilities.rows; ++i) {
    const float* row = probabilities.values.data() + i * probabilities.cols;
    std::uint32_t best = 0;
    for (std::uint32_t c = 1; c < made.classes; ++c) {
      if (row[c] > row[best]) best = c;
    }
    std::uint32_t second = best == 0 ? 1 : 0;
    for (std::uint32_t c = 0; c < made.classes; ++c) {
      if (c != best && row[c] > row[second]) second = c;
    }
    made.best.push_back(best);
    made.second.push_back(second);
    made.margin.push_back(1 - (static_cast<double>(row[best]) - static_cast<double>(row[second])));
  }
  return made;
}

class GoldenCaps : public testing::TestWithParam<const char*> {};

TEST_P(GoldenCaps, AreTheReferences) {
  std::ifstream in(data / GetParam() / "expected.json");
  const auto expected = nlohmann::json::parse(in);
  const pith::Predictions predictions = predictions_of(read_tiny_npy(data / GetParam() / "probs.npy"));
  EXPECT_EQ(predictions.best, expected["labels"].get<std::vector<std::uint32_t>>());
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    EXPECT_NEAR(predictions.margin[i], expected["margin"][i].get<double>(), 1e-6) << "item " << i;
  }
  int compared = 0;
  for (const auto& [name, one] : expected["cases"].items()) {
    if (one["balance"] != "both") continue;
    SCOPED_TRACE(name);
    pith::BalanceOptions options;
    options.tau = expected["tau"];
    options.boundary_slack = expected["boundary_slack"];
    if (one["boundary_cap"] == "proportional") options.boundary_cap = pith::ProportionalCap{};
    const pith::Pool pool = pith::Pool::of_all(predictions.size());
    const auto balance =
        pith::make_balance(predictions, pool, expected["budget"], pith::BalanceKind::both, options);
    EXPECT_EQ(balance.classes.cap, one["class_caps"].get<std::vector<std::int64_t>>());
    std::map<std::string, std::int64_t> caps;
    for (std::size_t b = 0; b < balance.boundary_pairs.size(); ++b) {
      const auto [low, high] = balance.boundary_pairs[b];
      caps[fmt::format("{},{}", low, high)] = balance.boundaries.cap[b];
    }
    EXPECT_EQ(caps, (one["boundary_caps"].get<std::map<std::string, std::int64_t>>()));
    // The reference's picks are one feasible set, so no larger than the largest.
    const auto picks = static_cast<std::int64_t>(one["order"].size());
    EXPECT_GE(pith::feasible_size(balance, pith::count_cells(balance, pool)), picks);
    ++compared;
  }
  EXPECT_EQ(compared, 2);
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenCaps, testing::Values("balanced", "long-tailed"),
                         [](const auto& one) { return one.index == 0 ? "balanced" : "long_tailed"; });

}  // namespace
}  // namespace constraint_golden

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "base/rng.h"
#include "pith/error.h"
#include "support/strategy_twins.h"

// The strategies that look at every class probability, against their textbook formulas.
namespace pith {
namespace {

using testing::for_seeds;
using testing::StrategyData;
using testing::TwinCase;

std::vector<double> opinion_of(const StrategyData& data, std::size_t model, Item item) {
  std::vector<double> row(data.classes);
  data.input.probabilities.members[model].view.read_rows(item, 1, row.data());
  return row;
}

std::vector<double> consensus_of(const StrategyData& data, Item item) {
  std::vector<double> mean(data.classes, 0.0);
  for (std::size_t model = 0; model < 3; ++model)
    for (std::size_t label = 0; label < data.classes; ++label)
      mean[label] += opinion_of(data, model, item)[label] / 3;
  return mean;
}

double entropy_of(const std::vector<double>& row) {
  double sum = 0;
  for (const double p : row) sum -= p > 0 ? p * std::log(p) : 0;
  return sum;
}

TEST(model_strategies_property, bald_is_entropy_of_the_mean_less_mean_entropy) {
  for_seeds(200, [](std::uint64_t seed) {
    const TwinCase twin("bald", seed);
    const auto score = [&](Item item, const std::vector<Item>&) {
      double mean_entropy = 0;
      for (std::size_t model = 0; model < 3; ++model)
        mean_entropy += entropy_of(opinion_of(twin.data, model, item)) / 3;
      return entropy_of(consensus_of(twin.data, item)) - mean_entropy;
    };
    twin.expect_greedy(score, 1e-6);
    for (const PickRow& row : twin.selection.picks) ASSERT_NEAR(row.score, score(row.item, {}), 1e-6);
  });
}

TEST(model_strategies_property, committee_by_votes_and_by_divergence) {
  for_seeds(200, [](std::uint64_t seed) {
    const auto set_kind = [](SelectOptions& options) {
      options.special.committee = options.seed % 2 == 0 ? Disagreement::vote : Disagreement::kl;
    };
    const TwinCase twin(StrategyData(seed, 45), "committee", seed, set_kind);
    const auto votes = [&](Item item) {
      std::map<std::size_t, double> count;
      for (std::size_t model = 0; model < 3; ++model) {
        const std::vector<double> row = opinion_of(twin.data, model, item);
        std::size_t best = 0;
        for (std::size_t label = 1; label < row.size(); ++label)
          if (row[label] > row[best]) best = label;
        count[best] += 1.0 / 3;
      }
      std::vector<double> shares;
      for (const auto& [label, share] : count) shares.push_back(share);
      return entropy_of(shares);
    };
    const auto divergence = [&](Item item) {
      const std::vector<double> mean = consensus_of(twin.data, item);
      double sum = 0;
      for (std::size_t model = 0; model < 3; ++model) {
        const std::vector<double> row = opinion_of(twin.data, model, item);
        for (std::size_t label = 0; label < row.size(); ++label)
          sum += row[label] > 0 ? row[label] * std::log(row[label] / mean[label]) / 3 : 0;
      }
      return sum;
    };
    const auto score = [&](Item item, const std::vector<Item>&) {
      return seed % 2 == 0 ? votes(item) : divergence(item);
    };
    twin.expect_greedy(score, 1e-6);
    for (const PickRow& row : twin.selection.picks) ASSERT_NEAR(row.score, score(row.item, {}), 1e-6);
  });
}

/// All L x D numbers of a gradient.
std::vector<double> gradient_of(const StrategyData& data, Item item) {
  std::vector<double> error = consensus_of(data, item);
  error[data.input.predictions.best[item]] -= 1;
  std::vector<double> gradient;
  for (const double e : error)
    for (std::size_t d = 0; d < data.dimension; ++d)
      gradient.push_back(e * static_cast<double>(data.row(item)[d]));
  return gradient;
}

/// Every draw must be the first to arrive in a race whose rates are the squared distances.
TEST(model_strategies_property, badge_draws_by_squared_distance_of_gradients) {
  for_seeds(300, [](std::uint64_t seed) {
    const TwinCase twin("badge", seed);
    const StrategyData& data = twin.data;
    testing::ClassRoom room(data, twin.selection);
    std::vector<Item> chosen = data.input.labelled;
    std::vector<bool> open(data.n);
    for (Item item = 0; item < data.n; ++item) open[item] = data.is_candidate(item);
    const auto weight = [&](Item item) {
      double nearest = std::numeric_limits<double>::infinity();
      const std::vector<double> mine = gradient_of(data, item);
      for (const Item other : chosen) {
        const std::vector<double> theirs = gradient_of(data, other);
        double square = 0;
        for (std::size_t at = 0; at < mine.size(); ++at)
          square += (mine[at] - theirs[at]) * (mine[at] - theirs[at]);
        nearest = std::min(nearest, square);
      }
      if (!chosen.empty()) return nearest;
      double square = 0;
      for (const double g : mine) square += g * g;
      return square;
    };
    for (std::size_t round = 0; round < twin.picks().size(); ++round) {
      const Item pick = twin.picks()[round];
      double largest = 0;
      double earliest = std::numeric_limits<double>::infinity();
      const auto time = [&](Item item) {
        return -std::log1p(-random_unit(random_bits(seed, round), item)) / weight(item);
      };
      for (Item item = 0; item < data.n; ++item) {
        if (!open[item] || !room.admits(item)) continue;
        largest = std::max(largest, weight(item));
        earliest = std::min(earliest, time(item));
      }
      ASSERT_TRUE(open[pick] && room.admits(pick));
      if (chosen.empty()) {
        ASSERT_GE(weight(pick), largest * (1 - 1e-6));
      } else if (largest > 1e-5) {
        // Errors are kept as floats, so weights are right to about 1e-6.
        ASSERT_GT(weight(pick), 1e-5);
        ASSERT_LE(time(pick) * (weight(pick) - 1e-5), earliest * weight(pick));
        ASSERT_NEAR(twin.selection.picks[round].score, weight(pick), 1e-5 * (1 + weight(pick)));
      }
      open[pick] = false;
      room.take(pick);
      chosen.push_back(pick);
    }
  });
}

/// Four items at squared distances 1 : 4 : 9 from the one with the longest gradient, drawn in proportion.
TEST(model_strategies_property, badge_draws_in_proportion) {
  SelectInput input;
  // The error of every item is (-1/2, 1/2): gradients differ as the embeddings do.
  input.embeddings = Matrix::of_floats({8, 7, 6, 5}, 4, 1, "rows");
  input.probabilities.members = {Matrix::of_floats(std::vector<float>(8, 0.5F), 4, 2, "probs")};
  input.predictions = read_predictions(input.probabilities, UncertaintyKind::margin);
  SelectOptions options;
  options.strategy = "badge";
  options.measure = false;
  options.budget.amount = std::int64_t{2};
  std::array<double, 4> counts{};
  constexpr int draws = 5000;
  for (int seed = 0; seed < draws; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    const std::vector<Item> picks = testing::items_of(select(input, options));
    ASSERT_EQ(picks.front(), 0U);
    ++counts[picks.back()];
  }
  for (const std::size_t item : {1U, 2U, 3U}) {
    const double share = static_cast<double>(item * item) / 14;
    EXPECT_NEAR(counts[item], draws * share, 5 * std::sqrt(draws * share * (1 - share)));
  }
}

TEST(model_strategies_property, one_model_is_not_enough_to_disagree) {
  StrategyData data(3);
  data.input.probabilities.members.resize(1);
  for (const char* strategy : {"bald", "committee"}) {
    SelectOptions options;
    options.strategy = strategy;
    options.budget.amount = std::int64_t{1};
    EXPECT_THROW(static_cast<void>(select(data.input, options)), Error);
  }
}

/// Everything else looks at the mean of the models.
TEST(model_strategies_property, predictions_of_several_models_are_those_of_their_mean) {
  for_seeds(50, [](std::uint64_t seed) {
    const StrategyData data(seed);
    for (Item item = 0; item < data.n; ++item) {
      std::vector<double> mean = consensus_of(data, item);
      ASSERT_GE(mean[data.input.predictions.best[item]], *std::max_element(mean.begin(), mean.end()) - 1e-12);
      std::sort(mean.rbegin(), mean.rend());
      ASSERT_NEAR(data.input.predictions.margin[item], 1 - (mean[0] - mean[1]), 1e-6);
    }
  });
}

}  // namespace
}  // namespace pith

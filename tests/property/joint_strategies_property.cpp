#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "graph/triangles.h"
#include "objective/objective.h"
#include "support/strategy_twins.h"

// gist, dpp and k-medoids against slow versions: no lazy queue, no filter, no incremental anything.
namespace pith {
namespace {

using testing::ClassRoom;
using testing::for_seeds;
using testing::StrategyData;
using testing::TwinCase;

constexpr double infinity = std::numeric_limits<double>::infinity();

double nearest_length(const TwinCase& twin, Item item, const std::vector<Item>& chosen) {
  double nearest = infinity;
  for (const Item other : chosen) nearest = std::min(nearest, twin.length_of(item, other));
  return nearest;
}

std::vector<Item> candidates_of(const StrategyData& data) {
  std::vector<Item> items;
  for (Item item = 0; item < data.n; ++item)
    if (data.is_candidate(item)) items.push_back(item);
  return items;
}

/// The last distance of farthest first, without caps, from the labelled items or from the first candidate.
double naive_reach(const TwinCase& twin) {
  std::vector<Item> chosen = twin.data.input.labelled;
  std::vector<Item> open = candidates_of(twin.data);
  double last = 0;
  for (std::size_t round = 0; round < twin.picks().size(); ++round) {
    const auto farthest = std::max_element(open.begin(), open.end(), [&](Item a, Item b) {
      return nearest_length(twin, a, chosen) < nearest_length(twin, b, chosen);
    });
    last = nearest_length(twin, *farthest, chosen);
    chosen.push_back(*farthest);
    open.erase(farthest);
  }
  return std::isinf(last) ? 0 : last;
}

struct NaiveTrial {
  std::vector<Item> picks;
  double value = -infinity;
};

NaiveTrial naive_trial(const TwinCase& twin, const Objective& objective, double apart) {
  ObjectiveState state(objective);
  ClassRoom room(twin.data, twin.selection);
  std::vector<Item> chosen = twin.data.input.labelled;
  for (const Item item : chosen) state.add(item);
  NaiveTrial trial;
  double sum = 0;
  double least = infinity;
  while (trial.picks.size() < twin.picks().size()) {
    std::optional<Item> best;
    for (const Item item : candidates_of(twin.data)) {
      if (std::find(chosen.begin(), chosen.end(), item) != chosen.end() || !room.admits(item)) continue;
      if (nearest_length(twin, item, chosen) < apart) continue;
      if (!best || state.gain(item) > state.gain(*best)) best = item;
    }
    if (!best) return {};
    sum += state.gain(*best);
    least = std::min(least, nearest_length(twin, *best, chosen));
    state.add(*best);
    room.take(*best);
    chosen.push_back(*best);
    trial.picks.push_back(*best);
  }
  trial.value = sum / static_cast<double>(trial.picks.size()) +
                twin.options.special.spread * (std::isinf(least) ? 0 : least);
  return trial;
}

TEST(joint_strategies_property, gist_is_the_best_of_the_separated_greedies) {
  std::map<bool, int> separated;
  for_seeds(250, [&](std::uint64_t seed) {
    const TwinCase twin(StrategyData(seed, 30), "gist", seed, [](SelectOptions& options) {
      options.special.spread = std::array{0.0, 0.5, 1.0, 20.0}[options.seed % 4];
      options.objective.lambda = {0.7, 0.3, 1.0};
    });
    ObjectiveOptions weights = twin.options.objective;
    weights.lambda = {0.7, 0.3, 0.0};
    const pith::Run run;
    const Triangles triangles = find_triangles(twin.graph(), {std::nullopt, weights.area_quantile}, {});
    const Objective objective = make_objective({.predictions = twin.data.input.predictions,
                                                .graph = twin.graph(),
                                                .triangles = triangles,
                                                .scores = {},
                                                .embeddings = nullptr,
                                                .memory_bytes = {},
                                                .options = weights,
                                                .run = run});
    NaiveTrial best = naive_trial(twin, objective, 0);
    double apart = 2 * naive_reach(twin);
    bool any = false;
    for (int round = 0; round < 12 && apart > 0; ++round, apart /= 1.25) {
      const NaiveTrial trial = naive_trial(twin, objective, apart);
      if (trial.value <= best.value) continue;
      best = trial;
      any = true;
    }
    ASSERT_EQ(twin.picks(), best.picks);
    ++separated[any];
  });
  // Both outcomes occur, or this test shows nothing.
  EXPECT_GT(separated[true], 20);
  EXPECT_GT(separated[false], 20);
}

/// Squared length of what a vector adds to the span of others, by their kernel alone: modified Gram-Schmidt
/// in long double, written with coordinates in the basis found so far.
TEST(joint_strategies_property, dpp_multiplies_the_determinant_most) {
  for_seeds(200, [](std::uint64_t seed) {
    const TwinCase twin(StrategyData(seed, 24), "dpp", seed, [](SelectOptions& options) {
      options.special.quality = std::array{0.0, 1.0, 3.0}[options.seed % 3];
    });
    const double scale = twin.graph().median_length() > 0 ? twin.graph().median_length() : 1;
    const auto kernel = [&](Item a, Item b) {
      return std::exp(-static_cast<long double>(twin.length_of(a, b)) / scale);
    };
    // Gaussian elimination of the kernel of `items`: the last pivot is the last item's rest. Items without
    // a rest are left out of it.
    const auto rest_of = [&](Item item, const std::vector<Item>& chosen) {
      std::vector<Item> basis;
      const auto last_pivot = [&](Item last) {
        std::vector<Item> items = basis;
        items.push_back(last);
        std::vector<std::vector<long double>> matrix;
        for (const Item a : items) {
          matrix.emplace_back();
          for (const Item b : items) matrix.back().push_back(kernel(a, b));
        }
        for (std::size_t p = 0; p + 1 < items.size(); ++p)
          for (std::size_t r = p + 1; r < items.size(); ++r)
            for (std::size_t c = items.size(); c-- > p;)
              matrix[r][c] -= matrix[r][p] / matrix[p][p] * matrix[p][c];
        return matrix.back().back();
      };
      for (const Item one : chosen)
        if (last_pivot(one) > 1e-9L) basis.push_back(one);
      return static_cast<double>(std::max(0.0L, last_pivot(item)));
    };
    const std::vector<double>& u = twin.data.input.predictions.margin;
    twin.expect_greedy(
        [&](Item item, const std::vector<Item>& chosen) {
          return std::exp(2 * twin.options.special.quality * u[item]) * rest_of(item, chosen);
        },
        1e-7);
  });
}

/// k-medoids in words: the loss of any set from scratch.
class NaiveMedoids {
 public:
  explicit NaiveMedoids(const TwinCase& twin) : twin_(twin) {
    for (const float d : twin.graph().all_dissimilarities())
      longest_ = std::max(longest_, twin.graph().length(d));
  }

  [[nodiscard]] std::int64_t loss(const std::vector<Item>& medoids) const {
    std::int64_t sum = 0;
    for (Item item = 0; item < twin_.data.n; ++item) {
      if (twin_.data.is_excluded(item)) continue;
      std::int64_t nearest = std::int64_t{1} << 30;
      for (const Item medoid : medoids) nearest = std::min(nearest, length(item, medoid));
      sum += nearest;
    }
    return sum;
  }

  [[nodiscard]] std::vector<Item> picks() const {
    ClassRoom room(twin_.data, twin_.selection);
    std::vector<Item> medoids = twin_.data.input.labelled;
    const auto given = static_cast<std::ptrdiff_t>(medoids.size());
    const auto with = [&](Item item) {
      std::vector<Item> more = medoids;
      more.push_back(item);
      return loss(more);
    };
    const std::vector<Item> candidates = candidates_of(twin_.data);
    const auto is_medoid = [&](Item item) {
      return std::find(medoids.begin(), medoids.end(), item) != medoids.end();
    };
    for (std::size_t round = 0; round < twin_.picks().size(); ++round) {
      std::optional<Item> best;
      for (const Item item : candidates)
        if (!is_medoid(item) && room.admits(item) && (!best || with(item) < with(*best))) best = item;
      room.take(*best);
      medoids.push_back(*best);
    }
    const auto& label = twin_.data.input.predictions.best;
    for (std::size_t idle = 0, turn = 0; idle < candidates.size(); ++idle, ++turn) {
      const Item item = candidates[turn % candidates.size()];
      if (is_medoid(item)) continue;
      std::int64_t least = loss(medoids);
      std::optional<Item> gone;
      std::vector<Item> order(medoids.begin() + given, medoids.end());
      std::sort(order.begin(), order.end());
      for (const Item medoid : order) {
        if (!room.admits(item) && label[medoid] != label[item]) continue;
        std::vector<Item> changed = medoids;
        std::replace(changed.begin(), changed.end(), medoid, item);
        if (loss(changed) >= least) continue;
        least = loss(changed);
        gone = medoid;
      }
      if (!gone) continue;
      std::replace(medoids.begin(), medoids.end(), *gone, item);
      room.give_back(*gone);
      room.take(item);
      idle = 0;
      ++swaps;
    }
    medoids.erase(medoids.begin(), medoids.begin() + given);
    std::sort(medoids.begin(), medoids.end());
    return medoids;
  }
  mutable int swaps = 0;

 private:
  [[nodiscard]] std::int64_t length(Item item, Item medoid) const {
    if (item == medoid) return 0;
    const auto neighbors = twin_.graph().neighbors(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      if (neighbors[at] == medoid)
        return longest_ > 0 ? std::llround(twin_.graph().length(twin_.graph().dissimilarities(item)[at]) /
                                           longest_ * 0x1p30)
                            : 0;
    return std::int64_t{1} << 30;
  }
  const TwinCase& twin_;
  double longest_ = 0;
};

TEST(joint_strategies_property, k_medoids_exchanges_until_none_helps) {
  int swaps = 0;
  for_seeds(1000, [&](std::uint64_t seed) {
    StrategyData data(seed, 22);
    if (data.n < 4) data = StrategyData(seed + 1000, 22);
    if (data.n < 4) return;
    const TwinCase twin(data, "k-medoids", seed, [](SelectOptions& options) { options.graph.neighbors = 3; });
    const NaiveMedoids naive(twin);
    std::vector<Item> picks = twin.picks();
    std::sort(picks.begin(), picks.end());
    ASSERT_EQ(picks, naive.picks());
    swaps += naive.swaps;
    // Told in the order of what their loss would cost.
    std::vector<Item> all = twin.data.input.labelled;
    all.insert(all.end(), picks.begin(), picks.end());
    double before = infinity;
    for (const PickRow& row : twin.selection.picks) {
      std::vector<Item> others = all;
      std::erase(others, row.item);
      ASSERT_EQ(row.score, static_cast<double>(naive.loss(others) - naive.loss(all)) / 0x1p30);
      ASSERT_LE(row.score, before);
      before = row.score;
    }
  });
  EXPECT_GT(swaps, 20);
}

}  // namespace
}  // namespace pith

#include <numeric>
#include <set>

#include "support/cli_case.h"

// Picks against slow, obvious computations of the tests' own.
namespace pith::testing {
namespace {

class Strategies : public CliCase {
 protected:
  /// The best k by score, ties to the lower index.
  [[nodiscard]] static std::vector<std::int64_t> top(const std::vector<double>& scores, std::size_t k) {
    std::vector<std::int64_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
    });
    order.resize(k);
    return order;
  }

  template <class Score>
  [[nodiscard]] std::vector<double> scores(Score score) const {
    std::vector<double> all;
    for (std::size_t item = 0; item < data_.items; ++item) {
      const auto begin = data_.probs.begin() + static_cast<std::ptrdiff_t>(item * data_.classes);
      all.push_back(score(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(data_.classes))));
    }
    return all;
  }

  /// Probabilities that are multiples of 1/8, so that scores tie often and exactly.
  [[nodiscard]] static Data tied_data() {
    Data data = make_data(80, 3, 3, 5);
    std::mt19937_64 rng(9);
    for (std::size_t item = 0; item < data.items; ++item) {
      const std::uint64_t first = rng() % 9;
      const std::uint64_t second = rng() % (9 - first);
      const std::uint64_t parts[] = {first, second, 8 - first - second};
      for (std::size_t c = 0; c < 3; ++c) data.probs[item * 3 + c] = static_cast<double>(parts[c]) / 8;
    }
    return data;
  }

  [[nodiscard]] double distance(const std::string& metric, std::span<const double> a,
                                std::span<const double> b) const {
    double dot = 0;
    double aa = 0;
    double bb = 0;
    double squares = 0;
    double differences = 0;
    for (std::size_t d = 0; d < a.size(); ++d) {
      dot += a[d] * b[d];
      aa += a[d] * a[d];
      bb += b[d] * b[d];
      squares += (a[d] - b[d]) * (a[d] - b[d]);
      differences += std::abs(a[d] - b[d]);
    }
    if (metric == "l2") return std::sqrt(squares);
    if (metric == "l1") return differences;
    return aa == 0 || bb == 0 ? 1 : 1 - dot / std::sqrt(aa * bb);
  }

  [[nodiscard]] std::vector<double> row(std::size_t item) const {
    const auto begin = data_.embeddings.begin() + static_cast<std::ptrdiff_t>(item * data_.dimension);
    return {begin, begin + static_cast<std::ptrdiff_t>(data_.dimension)};
  }

  /// Farthest first. Without centres to begin with, the first is the item nearest to the mean.
  [[nodiscard]] std::vector<std::int64_t> slow_k_center(const std::string& metric, std::size_t k,
                                                        const std::vector<std::size_t>& labelled) const {
    std::vector<double> mean(data_.dimension, 0.0);
    for (std::size_t item = 0; item < data_.items; ++item)
      for (std::size_t d = 0; d < data_.dimension; ++d)
        mean[d] += row(item)[d] / static_cast<double>(data_.items);
    std::vector<std::int64_t> picks;
    std::vector<std::vector<double>> centers;
    std::vector<bool> gone(data_.items, false);
    for (const std::size_t item : labelled) {
      centers.push_back(row(item));
      gone[item] = true;
    }
    while (picks.size() < k) {
      std::size_t best = data_.items;
      double best_score = 0;
      for (std::size_t item = 0; item < data_.items; ++item) {
        if (gone[item]) continue;
        double score = INFINITY;
        for (const auto& center : centers) score = std::min(score, distance(metric, row(item), center));
        if (centers.empty()) score = -distance(metric, row(item), mean);
        if (best == data_.items || score > best_score) {
          best = item;
          best_score = score;
        }
      }
      gone[best] = true;
      centers.push_back(row(best));
      picks.push_back(static_cast<std::int64_t>(best));
    }
    return picks;
  }
};

TEST_F(Strategies, margin_is_top_k_by_margin) {
  use(tied_data());
  const auto margin = scores([](std::vector<double> p) {
    std::sort(p.rbegin(), p.rend());
    return 1 - (p[0] - p[1]);
  });
  EXPECT_EQ(selected({"--budget", "33", "--strategy", "margin"}).indices, top(margin, 33));
}

TEST_F(Strategies, least_confidence_is_top_k_by_best_probability) {
  use(tied_data());
  const auto doubt =
      scores([](const std::vector<double>& p) { return 1 - *std::max_element(p.begin(), p.end()); });
  EXPECT_EQ(selected({"--budget", "33", "--strategy", "least-confidence"}).indices, top(doubt, 33));
}

TEST_F(Strategies, entropy_is_top_k_by_entropy) {
  const auto entropy = scores([](const std::vector<double>& p) {
    double sum = 0;
    for (const double x : p) sum -= x > 0 ? x * std::log(x) : 0;
    return sum / std::log(static_cast<double>(p.size()));
  });
  const Results results = selected({"--budget", "21", "--strategy", "entropy"});
  EXPECT_EQ(results.indices, top(entropy, 21));
  for (const PickLine& pick : results.picks) {
    EXPECT_NEAR(pick.uncertainty, entropy[static_cast<std::size_t>(pick.index)], 1e-12);
    EXPECT_EQ(pick.uncertainty, pick.score);
  }
}

TEST_F(Strategies, k_center_is_farthest_first_from_the_mean) {
  for (const char* metric : {"cosine", "l2", "l1"}) {
    SCOPED_TRACE(metric);
    const Results results = selected({"--budget", "25", "--strategy", "k-center", "--metric", metric});
    EXPECT_EQ(results.indices, slow_k_center(metric, 25, {}));
    for (std::size_t at = 1; at < results.picks.size(); ++at)
      EXPECT_LE(results.picks[at].score, results.picks[at - 1].score) << "the radius shrinks";
  }
}

TEST_F(Strategies, k_center_takes_labelled_items_as_centres) {
  write("seed.txt", "3\n17\n40\n");
  EXPECT_EQ(
      selected({"--budget", "25", "--strategy", "k-center", "--metric", "l2", "--labelled", path("seed.txt")})
          .indices,
      slow_k_center("l2", 25, {3, 17, 40}));
}

TEST_F(Strategies, k_center_breaks_ties_to_the_lower_index) {
  Data grid{25, 2, 2, {}, {}};
  for (std::size_t item = 0; item < 25; ++item) {
    grid.embeddings.push_back(static_cast<float>(item % 5));
    grid.embeddings.push_back(static_cast<float>(item / 5));
    grid.probs.insert(grid.probs.end(), {0.25, 0.75});
  }
  use(grid);
  const Results results = selected({"--budget", "25", "--strategy", "k-center", "--metric", "l1"});
  EXPECT_EQ(results.indices, slow_k_center("l1", 25, {}));
  EXPECT_EQ(results.indices[0], 12) << "the first centre belongs to the coreset";
  EXPECT_EQ(results.indices[1], 0);
}

/// Two models that agree on all items but the last two of each ten.
TEST_F(Strategies, bald_and_committee_compare_the_models_given) {
  const auto flipped = [&](std::size_t item) { return item % 10 >= 8; };
  Data other = data_;
  for (std::size_t item = 0; item < data_.items; ++item)
    for (std::size_t label = 0; label < 4; ++label) {
      data_.probs[item * 4 + label] = label == 0 ? 0.7 : 0.1;
      other.probs[item * 4 + label] = label == (flipped(item) ? 3U : 0U) ? 0.7 : 0.1;
    }
  use(data_);
  write("q.npy", npy_f8(other.probs, other.items));
  for (const Arguments& kind : {Arguments{"--strategy", "bald"}, Arguments{"--strategy", "committee"},
                                Arguments{"--strategy", "committee", "--committee", "kl"}}) {
    const Results results = selected(kind + Arguments{"--budget", "12", "--probs", path("q.npy")});
    std::vector<std::int64_t> expected;
    for (std::size_t item = 0; item < data_.items; ++item)
      if (flipped(item)) expected.push_back(static_cast<std::int64_t>(item));
    EXPECT_EQ(results.indices, expected);
    EXPECT_EQ(results.summary.at("inputs").at("probs-2").at("path"), path("q.npy"));
  }
}

TEST_F(Strategies, others_take_the_mean_of_the_models) {
  Data other = make_data(60, 5, 4, 2);
  write("q.npy", npy_f8(other.probs, other.items));
  const auto both = data_;
  for (std::size_t at = 0; at < other.probs.size(); ++at)
    data_.probs[at] = (data_.probs[at] + other.probs[at]) / 2;
  const auto margin = scores([](std::vector<double> p) {
    std::sort(p.rbegin(), p.rend());
    return 1 - (p[0] - p[1]);
  });
  data_ = both;
  EXPECT_EQ(selected({"--budget", "20", "--strategy", "margin", "--probs", path("q.npy")}).indices,
            top(margin, 20));
  write("run.toml", fmt::format("probs = ['{}', '{}']\nbudget = 20\nstrategy = 'margin'\n", path("p.npy"),
                                path("q.npy")));
  const Outcome outcome =
      run_pith({"select", "--embeddings", path("e.npy"), "--config", path("run.toml"), "--out", path("out")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_results(path("out")).indices, top(margin, 20));
}

TEST_F(Strategies, models_that_do_not_match_are_refused) {
  expect_refused(select({"--budget", "9", "--strategy", "bald"}), 2, {"--probs", "bald", "2 models"});
  const Data fewer = make_data(59, 5, 4, 2);
  write("q.npy", npy_f8(fewer.probs, fewer.items));
  expect_refused(select({"--budget", "9", "--strategy", "bald", "--probs", path("q.npy")}), 3,
                 {path("q.npy"), "59 rows", "60"});
}

TEST_F(Strategies, options_of_single_strategies_out_of_range) {
  expect_refused(select({"--budget", "9", "--similarity", "1.5"}), 2, {"--similarity", "1.5", "[0,1]"});
  expect_refused(select({"--budget", "9", "--spread", "-1"}), 2, {"--spread", "-1"});
  expect_refused(select({"--budget", "9", "--quality", "nan"}), 2, {"--quality"});
  expect_refused(select({"--budget", "9", "--radius", "-0.5"}), 2, {"--radius", "-0.5"});
  expect_refused(select({"--budget", "9", "--committee", "votes"}), 2, {"--committee", "vote"});
}

TEST_F(Strategies, any_number_of_threads_gives_the_same_bytes) {
  use(make_data(300, 9, 5, 11));
  for (const std::string& strategy : all_strategies())
    for (const char* metric : {"cosine", "l2", "l1"}) {
      SCOPED_TRACE(strategy + " " + metric);
      std::string indices;
      std::string csv;
      for (const char* threads : {"1", "2", "4"}) {
        const Outcome outcome =
            select({"--budget", "60", "--strategy", strategy, "--metric", metric, "--threads", threads});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        if (indices.empty()) {
          indices = file_contents(path("out/indices.npy"));
          csv = file_contents(path("out/selection.csv"));
        }
        EXPECT_EQ(file_contents(path("out/indices.npy")), indices) << threads;
        EXPECT_EQ(file_contents(path("out/selection.csv")), csv) << threads;
      }
    }
}

TEST_F(Strategies, seeds_matter_to_those_that_draw_and_to_nobody_else) {
  for (const std::string& strategy : all_strategies()) {
    SCOPED_TRACE(strategy);
    const auto picks = [&](const char* seed) {
      return selected({"--budget", "20", "--strategy", strategy, "--seed", seed}).indices;
    };
    const auto zero = picks("0");
    EXPECT_EQ(picks("0"), zero);
    const std::set<std::string> drawing = {"random", "stratified", "badge", "cluster-margin", "prob-cover"};
    EXPECT_EQ(picks("1") != zero, drawing.contains(strategy));
  }
}

TEST_F(Strategies, stratified_stays_within_the_class_caps) {
  use(make_data(400, 4, 4, 2));
  const Json classes =
      selected({"--budget", "40", "--strategy", "stratified"}).summary.at("constraints").at("class");
  for (const Json& row : classes) EXPECT_EQ(row.at("selected"), 10) << row;
}

TEST_F(Strategies, balance_holds_for_every_strategy) {
  use(make_data(400, 4, 4, 2));
  for (const std::string& strategy : all_strategies())
    for (const char* balance : {"none", "class", "boundary", "both"}) {
      SCOPED_TRACE(strategy + " " + balance);
      const Results results = selected({"--budget", "40", "--strategy", strategy, "--balance", balance,
                                        "--class-cap", "11", "--boundary-cap", "9", "--shortfall", "error"});
      EXPECT_EQ(results.indices.size(), 40U);
      const Json& constraints = results.summary.at("constraints");
      EXPECT_EQ(constraints.at("class_active"),
                balance == std::string("class") || balance == std::string("both"));
      EXPECT_EQ(constraints.at("boundary_active"),
                balance == std::string("boundary") || balance == std::string("both"));
    }
}

}  // namespace
}  // namespace pith::testing

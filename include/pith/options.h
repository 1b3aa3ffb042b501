#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pith {

// One plain aggregate a stage. check() returns every problem at once, each a sentence that names the remedy.

enum class Metric : std::uint8_t { cosine, l2, l1 };
/// `either`: {i,j} is an edge if one of the two lists the other (the paper's union). `mutual`: if both do.
enum class Symmetry : std::uint8_t { either, mutual };
/// How neighbours are searched for. `automatic`: exact where that is quick enough, else approximate.
enum class Knn : std::uint8_t { automatic, exact, approximate };
enum class UncertaintyKind : std::uint8_t { margin, entropy, least_confidence };
/// Where facility location looks for similarities: the edges of the graph, or all pairs of embeddings.
enum class Facility : std::uint8_t { graph, dense };
/// How a greedy finds its next pick. `lazy` and `naive` find the best one; the others save work and give up
/// some of f.
enum class Optimizer : std::uint8_t { lazy, naive, stochastic, threshold };
/// What the area of a triangle is computed from: the graph's side lengths, or the embeddings themselves.
enum class Areas : std::uint8_t { graph, exact };
enum class TripleScale : std::uint8_t { max, mean, none };
enum class BalanceKind : std::uint8_t { none, class_only, boundary_only, both };
enum class Shortfall : std::uint8_t { relax, stop, error };
/// How the strategy `committee` measures disagreement: entropy of the votes, or mean divergence (Kullback and
/// Leibler) from the consensus.
enum class Disagreement : std::uint8_t { vote, kl };

struct GraphOptions {
  /// Neighbours listed per item. Unset: 10, or n - 1 where there are fewer items.
  std::optional<std::uint32_t> neighbors = std::nullopt;
  Metric metric = Metric::cosine;
  Symmetry symmetry = Symmetry::either;
  Knn knn = Knn::automatic;
  /// Least recall of an approximate graph, in (0,1], met with 95% confidence. An exact graph has 1.
  double recall = 0.95;
  /// Most bytes that building the graph, and select() as a whole, may take beyond the inputs, at least
  /// least_memory_bytes. Unset: what is quickest.
  std::optional<std::uint64_t> memory_bytes = std::nullopt;

  static constexpr std::uint64_t least_memory_bytes = std::uint64_t{64} << 20;

  [[nodiscard]] std::vector<std::string> check() const;
};

/// One term of a mixture.
struct TermWeight {
  std::string name;
  double weight = 1;  ///< >= 0
};

struct ObjectiveOptions {
  UncertaintyKind uncertainty = UncertaintyKind::margin;
  /// Weights of uncertainty, diversity, triples; each >= 0. Unset: usual_lambda; for submod-bal with the
  /// first lowered where the budget has room for few of the items the model is unsure of, and raised where it
  /// has room for more than those (docs/method.md).
  std::optional<std::array<double, 3>> lambda = {};
  /// Weight of the pairwise penalty, in [0,1]. Unset: lowered where the budget exceeds what the model is
  /// unsure of (docs/method.md).
  std::optional<double> gamma = 1.0;
  double eta = 1.0;                      ///< weight of the thin-triangle penalty, in [0,1]
  std::optional<double> area_threshold;  ///< a triangle below this area is thin; unset: the quantile
  double area_quantile = 0.25;
  TripleScale triple_scale = TripleScale::max;
  Areas areas = Areas::graph;
  std::uint32_t clique_size = 3;  ///< 3: triples, by area; 4: sets of four instead, by volume
  /// f as a sum of other terms, or of these with other weights. Empty: uncertainty, diversity, triples by
  /// lambda.
  std::vector<TermWeight> terms = {};
  double graph_cut_lambda = 0.5;  ///< redundancy weight of the graph-cut term, in [0, 1/2]
  Facility facility = Facility::graph;

  static constexpr std::array<double, 3> usual_lambda = {0.7, 0.3, 1.0};

  [[nodiscard]] std::vector<std::string> check() const;
};

/// The rules a cap can follow. A file lists `class,cap` or `class,class,cap`, one a line; what it does not
/// list keeps the default rule's cap.
struct UniformCap {};
struct ProportionalCap {};
struct FixedCap {
  std::int64_t cap = 0;
};
struct CapFile {
  std::filesystem::path path;
};
using ClassCap = std::variant<UniformCap, FixedCap, CapFile>;
using BoundaryCap = std::variant<UniformCap, ProportionalCap, FixedCap, CapFile>;

struct BalanceOptions {
  std::optional<BalanceKind> balance;  ///< unset: what the strategy is known for
  double tau = 0.05;                   ///< an item belongs to a boundary if its margin score exceeds this
  /// An item belongs to the boundaries between its best class and this many of the next best, each where the
  /// margin score of that pair exceeds tau.
  std::uint32_t boundaries_per_item = 1;
  ClassCap class_cap = UniformCap{};
  /// Factor of the uniform class cap, >= 1. Unset: 1; for submod-bal raised where equal caps cannot be met
  /// and the budget exceeds what the model is unsure of (docs/method.md).
  std::optional<double> class_slack = 1.0;
  BoundaryCap boundary_cap = UniformCap{};
  double boundary_slack = 2.0;  ///< factor of the uniform boundary cap, >= 1
  Shortfall shortfall = Shortfall::relax;

  [[nodiscard]] std::vector<std::string> check() const;
};

/// What single strategies ask for beyond the common options.
struct StrategyOptions {
  Disagreement committee = Disagreement::vote;
  double similarity = 0.95;           ///< dedup: at least this similar are duplicates, in [0,1]
  double spread = 1;                  ///< gist: weight of the smallest distance between picks, >= 0
  double quality = 1;                 ///< dpp: an item's quality is exp(quality * u), >= 0
  std::optional<double> radius = {};  ///< prob-cover: of a ball, >= 0; unset: by the purity of balls

  [[nodiscard]] std::vector<std::string> check() const;
};

struct GreedyOptions {
  Optimizer optimizer = Optimizer::lazy;
  double stochastic_epsilon = 0.1;  ///< in (0,1): what the mean loses of f
  double threshold_epsilon = 0.1;   ///< in (0,1): what a pick may lose of the best gain

  [[nodiscard]] std::vector<std::string> check() const;
};

/// A count of items, or a share of all of them.
struct Budget {
  std::variant<std::int64_t, double> amount = 0.1;  ///< items, or a fraction in (0,1]

  /// Items meant, of n: a share is rounded to the nearest count, and is at least one item.
  [[nodiscard]] std::int64_t count_of(std::size_t n) const;
};

struct SelectOptions {
  std::string strategy = "submod-bal";
  Budget budget;
  /// Instead of the budget: the most that SelectInput::costs of the picks may sum to. Without caps, and for
  /// strategies that are a greedy on f.
  std::optional<double> cost_budget = std::nullopt;
  std::uint64_t seed = 0;
  /// Report objective and certificate for every strategy, which takes a graph even where the strategy needs
  /// none.
  bool measure = true;
  GraphOptions graph;
  ObjectiveOptions objective;
  GreedyOptions greedy = {};
  BalanceOptions balance;
  StrategyOptions special;

  [[nodiscard]] std::vector<std::string> check() const;
};

/// The literal setting of the paper: proportional boundary caps, raw triangle counts.
[[nodiscard]] SelectOptions paper_preset();

}  // namespace pith

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pith/graph.h"
#include "pith/matrix.h"
#include "pith/options.h"
#include "pith/plan.h"
#include "pith/predictions.h"
#include "pith/run.h"
#include "pith/term.h"

namespace pith {

/// What to select from. Nothing here is changed.
struct SelectInput {
  /// Needed to build the graph and by k-center; may be empty (no rows) where a graph is given and suffices.
  Matrix embeddings;
  Predictions predictions;
  /// What the predictions were read from; needed by the strategies that look at every class or compare models
  /// (bald, committee, badge), may be empty for all others.
  ClassProbabilities probabilities;
  std::optional<Graph> graph;  ///< used instead of building one
  /// Already labelled: in S from the start, costing no budget. `labels` is empty or as long, a class or
  /// nothing.
  std::vector<Item> labelled;
  std::vector<std::optional<std::uint32_t>> labels;
  std::vector<Item> excluded;       ///< never picked
  std::vector<double> scores;       ///< for the term `scores`: one an item, each >= 0; else empty
  std::vector<double> costs;        ///< for SelectOptions::cost_budget: one an item, each > 0; else empty
  std::vector<TermSpec> own_terms;  ///< terms of your own, to be named in ObjectiveOptions::terms
};

/// One pick, in pick order. gain = l1 * uncertainty + l2 * U - pair_penalty + triple_gain, and, where f has
/// other terms, their shares (ObjectiveValue::others).
struct PickRow {
  Item item = 0;
  double gain = 0;          ///< what it added to f, after everything before it
  double uncertainty = 0;   ///< u of the item
  double pair_penalty = 0;  ///< taken off for similar items chosen before it, weighted
  double triple_gain = 0;   ///< the triple term's share, weighted
  std::uint32_t class_label = 0;
  /// Index into Selection::boundaries, or nothing; the nearest where it has several.
  std::optional<std::uint32_t> boundary;
  std::uint32_t represents = 0;  ///< items whose nearest pick in the graph is this one, itself included
  double score = 0;              ///< what the strategy ranked it by
  bool augmented = false;        ///< added after the greedy to reach the budget
};

/// One class or boundary. Caps count the labelled items, `available` and `selected` do not.
struct GroupRow {
  std::uint32_t first = 0;   ///< the class, or the boundary's lower class
  std::uint32_t second = 0;  ///< the boundary's higher class; for a class, itself
  std::int64_t available = 0;
  std::int64_t labelled = 0;
  std::int64_t cap_requested = 0;
  std::int64_t cap = 0;
  std::int64_t selected = 0;
};

struct Certificate {
  double upper_bound = 0;  ///< no feasible set of this size reaches a larger f
  double ratio = 0;        ///< f of the picks / upper bound
  /// The same without the constant part k * l2 * U of both; nothing where that leaves no positive bound.
  std::optional<double> ratio_without_constant;
};

/// What one term adds to f.
struct TermShare {
  std::string name;
  double weight = 0;
  double value = 0;           ///< weighted
  std::vector<double> gains;  ///< its weighted share of each pick's gain
};

struct ObjectiveValue {
  double total = 0;
  double uncertainty = 0;
  double diversity = 0;
  double triple = 0;
  std::vector<TermShare> others;  ///< terms of a mixture beyond these three
};

/// What came out, and all that is known about it.
struct Selection {
  SelectOptions options;  ///< as they were in force
  /// Names of options that were left open and settled by the budget and the data.
  std::vector<std::string> automatic;
  BalanceKind balance = BalanceKind::none;
  std::size_t items = 0;
  std::uint32_t classes = 0;

  std::vector<PickRow> picks;
  std::int64_t requested = 0;
  std::int64_t augmented = 0;       ///< picks added after the greedy
  std::int64_t feasible_size = 0;   ///< the most the caps admit as requested, or a bound on it:
  bool feasible_size_exact = true;  ///< false where items have several boundaries
  std::int64_t candidates = 0;
  std::int64_t labelled = 0;
  std::int64_t excluded = 0;

  double cost = 0;  ///< of the picks, where they have costs

  bool relaxed = false;
  std::int64_t class_level = 0;  ///< water level the class caps were raised to; 0: not raised
  double boundary_factor = 1;    ///< factor the boundary caps were raised by
  bool class_caps_active = false;
  bool boundary_caps_active = false;
  std::vector<GroupRow> class_groups;
  std::vector<GroupRow> boundaries;

  /// False where the graph was left out (SelectOptions::measure): gains, objective and certificate are then
  /// empty.
  bool measured = true;
  ObjectiveValue
      objective;  ///< of the picks, beyond the labelled items; weighted, so that the parts sum to total
  Certificate certificate;
  std::int64_t represented = 0;  ///< items that are a pick or have one among their graph neighbours
  double mean_uncertainty = 0;   ///< of the picks
  double mean_uncertainty_of_all = 0;

  GraphInfo graph;
  std::uint64_t edges = 0;
  std::uint64_t triangles = 0;
  std::uint64_t thin_triangles = 0;
  double area_threshold = 0;
  double largest_weighted_degree = 0;  ///< U

  std::vector<std::pair<std::string, double>> seconds;  ///< per stage, in order
  Plan plan;                                            ///< what was foreseen of memory and time
};

/// The options a strategy really runs with: submod drops the triple term, entropy ranks by entropy, and so
/// on. Throws on an unknown strategy or any problem that check() finds.
[[nodiscard]] SelectOptions effective_options(SelectOptions options);

/// The whole method. The same input, options and seed give the same picks for any run.threads.
[[nodiscard]] Selection select(const SelectInput& input, const SelectOptions& options, const Run& run = {});

}  // namespace pith

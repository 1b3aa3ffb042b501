#include "strategy/augment.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>

#include "constraint/cap_tracker.h"

namespace pith {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr int extra_layers = 2;  ///< how much longer than the shortest a path may be

/// Candidates of one class in one boundary (no_group: in none): all that a path needs to know of them is the
/// best one outside S and the cheapest one inside.
struct ExchangeCell {
  std::uint32_t class_group;
  std::uint32_t boundary_group;
  std::size_t begin;  ///< of its members
  std::size_t end;
  std::optional<Item> best_outside;
  double best_outside_score = 0;
  std::optional<Item> cheapest_inside;
  double cheapest_inside_score = 0;
  bool stale = true;
};

/// One step of a path: add `added`, and, unless it is the last, give up `given_up`.
struct Step {
  Item added;
  std::optional<Item> given_up;
};

class Exchange {
 public:
  Exchange(const std::vector<Pick>& picks, Oracle& oracle, const Balance& balance, const Pool& pool)
      : oracle_(oracle), balance_(balance), caps_(balance), set_(pool.state.size()) {
    for (const Pick& pick : picks) {
      set_.insert(pick.item);
      caps_.take(pick.item);
    }
    make_cells(pool);
    scores_.resize(pool.state.size());
    std::vector<double> scores(members_.size());
    oracle.score_all(members_, scores);
    for (std::size_t at = 0; at < members_.size(); ++at) scores_[members_[at]] = scores[at];
  }

  /// The best augmenting path of the present S; empty if there is none.
  std::vector<Step> find_path(const Run& run) {
    refresh_touched();
    for (ExchangeCell& cell : cells_) refresh(cell);
    layers_.clear();
    layers_.push_back(first_layer());
    std::vector<Step> best;
    double best_value = minus_infinity;
    int layers_left = std::numeric_limits<int>::max();
    // A layer a class at most: longer walks repeat a class.
    for (std::size_t depth = 0; depth < balance_.classes.groups() && layers_left > 0;
         ++depth, --layers_left) {
      run.check_cancelled();  // with thousands of classes and no path, all of them are gone through
      LayerReach reach = reach_boundaries(layers_[depth]);
      // From the best down, as far as there is something to gain: mostly the first is taken.
      std::make_heap(reach.ends.begin(), reach.ends.end());
      while (!reach.ends.empty() && reach.ends.front().value > best_value) {
        std::pop_heap(reach.ends.begin(), reach.ends.end());
        const End end = reach.ends.back();
        reach.ends.pop_back();
        std::vector<Step> path = trace(depth, end);
        if (path.empty()) continue;
        best_value = end.value;
        best = std::move(path);
      }
      if (!best.empty()) layers_left = std::min(layers_left, extra_layers + 1);  // this one counts, too
      layers_.push_back(next_layer(reach));
      if (layers_.back().alive == 0) break;
    }
    return best;
  }

  void apply(const std::vector<Step>& path) {
    for (const Step& step : path)
      if (step.given_up) move(*step.given_up, false);
    for (const Step& step : path) move(step.added, true);
  }

 private:
  /// Best walks that end with one place free in a class: value, and the cells of the last exchange.
  struct ClassReach {
    double value = minus_infinity;
    std::uint32_t added_in = no_group;     ///< cell of the item added before, in the previous class
    std::uint32_t given_up_in = no_group;  ///< cell of the item given up, in this class
  };
  struct Layer {
    std::vector<ClassReach> classes;
    std::size_t alive = 0;
  };
  /// Best two ways into a boundary, from different classes: the second serves the class of the first.
  struct BoundaryReach {
    double value[2] = {minus_infinity, minus_infinity};
    std::uint32_t cell[2] = {no_group, no_group};
  };
  struct End {
    double value;
    std::uint32_t cell;
    /// Of equally good ones, that of the lower cell comes first.
    friend bool operator<(const End& a, const End& b) noexcept {
      return a.value != b.value ? a.value < b.value : a.cell > b.cell;
    }
  };
  struct LayerReach {
    std::vector<BoundaryReach> boundaries;
    std::vector<End> ends;
  };

  void make_cells(const Pool& pool) {
    const auto& class_of = balance_.classes.group_of;
    const auto& boundary_of = balance_.boundaries.group_of;
    for (std::size_t item = 0; item < pool.state.size(); ++item)
      if (pool.state[item] == Pool::State::candidate) members_.push_back(static_cast<Item>(item));
    const bool boundaries = balance_.boundaries.active;
    const auto boundary = [&](Item item) { return boundaries ? boundary_of[item] : no_group; };
    std::stable_sort(members_.begin(), members_.end(), [&](Item a, Item b) {
      return class_of[a] != class_of[b] ? class_of[a] < class_of[b] : boundary(a) < boundary(b);
    });
    cell_of_.assign(pool.state.size(), no_group);
    for (std::size_t at = 0; at < members_.size(); ++at) {
      const Item item = members_[at];
      if (cells_.empty() || cells_.back().class_group != class_of[item] ||
          cells_.back().boundary_group != boundary(item))
        cells_.push_back({.class_group = class_of[item],
                          .boundary_group = boundary(item),
                          .begin = at,
                          .end = at,
                          .best_outside = {},
                          .cheapest_inside = {}});
      cells_.back().end = at + 1;
      cell_of_[item] = static_cast<std::uint32_t>(cells_.size() - 1);
    }
  }

  /// Scores that the last path may have changed. Cells that lose their best or cheapest item to that are
  /// looked through again.
  void refresh_touched() {
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const Item item : touched_) {
      if (cell_of_[item] == no_group) continue;
      scores_[item] = oracle_.score(item);
      ExchangeCell& cell = cells_[cell_of_[item]];
      if (cell.best_outside == item || cell.cheapest_inside == item) cell.stale = true;
      if (!cell.stale) consider(cell, item);
    }
    touched_.clear();
  }

  void refresh(ExchangeCell& cell) {
    if (!cell.stale) return;
    cell.stale = false;
    cell.best_outside.reset();
    cell.cheapest_inside.reset();
    for (std::size_t at = cell.begin; at < cell.end; ++at) consider(cell, members_[at]);
  }

  /// Ties go to the lower item.
  void consider(ExchangeCell& cell, Item item) const {
    const double score = scores_[item];
    if (!set_.contains(item)) {
      if (!cell.best_outside || score > cell.best_outside_score ||
          (score == cell.best_outside_score && item < *cell.best_outside)) {
        cell.best_outside = item;
        cell.best_outside_score = score;
      }
    } else if (!cell.cheapest_inside || score < cell.cheapest_inside_score ||
               (score == cell.cheapest_inside_score && item < *cell.cheapest_inside)) {
      cell.cheapest_inside = item;
      cell.cheapest_inside_score = score;
    }
  }

  [[nodiscard]] bool class_has_room(std::uint32_t group) const {
    return !balance_.classes.active || caps_.class_room(group) > 0;
  }
  [[nodiscard]] bool boundary_has_room(std::uint32_t group) const {
    return group == no_group || !balance_.boundaries.active || caps_.boundary_room(group) > 0;
  }

  [[nodiscard]] Layer first_layer() const {
    Layer layer{.classes = std::vector<ClassReach>(balance_.classes.groups())};
    for (std::uint32_t group = 0; group < layer.classes.size(); ++group)
      if (class_has_room(group)) {
        layer.classes[group].value = 0;
        ++layer.alive;
      }
    return layer;
  }

  [[nodiscard]] LayerReach reach_boundaries(const Layer& layer) const {
    LayerReach reach{.boundaries = std::vector<BoundaryReach>(balance_.boundaries.groups()), .ends = {}};
    for (std::uint32_t at = 0; at < cells_.size(); ++at) {
      const ExchangeCell& cell = cells_[at];
      const double from = layer.classes[cell.class_group].value;
      if (from == minus_infinity || !cell.best_outside) continue;
      const double value = from + cell.best_outside_score;
      if (boundary_has_room(cell.boundary_group)) {
        reach.ends.push_back({value, at});
        continue;
      }
      BoundaryReach& boundary = reach.boundaries[cell.boundary_group];
      if (value > boundary.value[0]) {
        boundary = {{value, boundary.value[0]}, {at, boundary.cell[0]}};
      } else if (value > boundary.value[1]) {
        boundary.value[1] = value;
        boundary.cell[1] = at;
      }
    }
    return reach;
  }

  [[nodiscard]] Layer next_layer(const LayerReach& reach) const {
    Layer layer{.classes = std::vector<ClassReach>(balance_.classes.groups())};
    for (std::uint32_t at = 0; at < cells_.size(); ++at) {
      const ExchangeCell& cell = cells_[at];
      if (cell.boundary_group == no_group || !cell.cheapest_inside) continue;
      const BoundaryReach& boundary = reach.boundaries[cell.boundary_group];
      // Each boundary has one cell a class: cells differ if and only if classes do.
      const int way = boundary.cell[0] == at ? 1 : 0;
      if (boundary.value[way] == minus_infinity) continue;
      const double value = boundary.value[way] - cell.cheapest_inside_score;
      ClassReach& reached = layer.classes[cell.class_group];
      if (reached.value == minus_infinity) ++layer.alive;
      if (value > reached.value) reached = {value, boundary.cell[way], at};
    }
    return layer;
  }

  /// The walk that ended with `end`, from its source on; empty if it visits a class twice.
  [[nodiscard]] std::vector<Step> trace(std::size_t depth, const End& end) const {
    std::vector<Step> steps;
    std::unordered_set<std::uint32_t> visited;
    std::uint32_t added_in = end.cell;
    std::optional<Item> given_up;
    for (std::size_t layer = depth + 1; layer-- > 0;) {
      const ExchangeCell& cell = cells_[added_in];
      if (!visited.insert(cell.class_group).second) return {};
      steps.push_back({*cell.best_outside, given_up});
      const ClassReach& from = layers_[layer].classes[cell.class_group];
      if (layer == 0) break;
      given_up = cells_[from.given_up_in].cheapest_inside;
      added_in = from.added_in;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  void move(Item item, bool into_set) {
    if (into_set) {
      oracle_.add(item);
      set_.insert(item);
      caps_.take(item);
    } else {
      oracle_.remove(item);
      set_.erase(item);
      caps_.release(item);
    }
    touched_.push_back(item);
    oracle_.influenced(item, touched_);
  }

  Oracle& oracle_;
  const Balance& balance_;
  CapTracker caps_;
  Membership set_;
  std::vector<Item> members_;
  std::vector<std::uint32_t> cell_of_;
  std::vector<ExchangeCell> cells_;
  std::vector<Layer> layers_;
  std::vector<Item> touched_;   ///< items whose scores the last path may have changed
  std::vector<double> scores_;  ///< of each item that is a member of a cell
};

/// Picks that come and go, in the order they came.
class PickOrder {
 public:
  PickOrder(std::vector<Pick>& picks, std::size_t items)
      : picks_(picks), place_of_(items), left_(picks.size()) {
    for (std::size_t at = 0; at < picks.size(); ++at) place_of_[picks[at].item] = at;
  }
  [[nodiscard]] std::size_t size() const noexcept { return left_; }
  void add(const Pick& pick) {
    place_of_[pick.item] = picks_.size();
    picks_.push_back(pick);
    ++left_;
  }
  void give_up(Item item) {
    gone_.push_back(place_of_[item]);
    --left_;
  }
  /// Takes out who was given up.
  void close() {
    std::sort(gone_.begin(), gone_.end());
    auto next = gone_.begin();
    std::size_t kept = 0;
    for (std::size_t at = 0; at < picks_.size(); ++at) {
      if (next != gone_.end() && *next == at)
        ++next;
      else
        picks_[kept++] = picks_[at];
    }
    picks_.resize(kept);
  }

 private:
  std::vector<Pick>& picks_;
  std::vector<std::size_t> place_of_;  ///< of an item, where it was added last
  std::vector<std::size_t> gone_;      ///< places
  std::size_t left_;
};

}  // namespace

void augment(std::vector<Pick>& picks, Oracle& oracle, const Balance& balance, const Pool& pool,
             std::int64_t budget, const Run& run) {
  if (static_cast<std::int64_t>(picks.size()) >= budget) return;
  if (!balance.classes.active || !balance.boundaries.active)
    return;                                    // a matroid: greedy is as large as can be
  if (balance.boundaries.further > 0) return;  // no intersection of two matroids: no augmenting paths
  const std::size_t greedy_size = picks.size();
  Exchange exchange(picks, oracle, balance, pool);
  PickOrder list(picks, pool.state.size());
  while (static_cast<std::int64_t>(list.size()) < budget) {
    run.report("augment", static_cast<double>(list.size() - greedy_size),
               static_cast<double>(budget) - static_cast<double>(greedy_size));
    const std::vector<Step> path = exchange.find_path(run);
    if (path.empty()) break;
    exchange.apply(path);
    for (const Step& step : path)
      if (step.given_up) list.give_up(*step.given_up);
    for (const Step& step : path)
      list.add({.item = step.added, .score = oracle.score(step.added), .augmented = true});
  }
  list.close();
}

}  // namespace pith

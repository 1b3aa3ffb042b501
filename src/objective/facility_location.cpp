#include "objective/facility_location.h"

#include <algorithm>

#include "objective/dense_facility.h"

namespace pith {
namespace {

/// The two largest similarities of an item to members of S, 0 where there are fewer.
struct TopTwo {
  double best = 0;
  double second = 0;

  void offer(double s) noexcept {
    second = std::max(second, std::min(s, best));
    best = std::max(best, s);
  }
};

class State final : public TermState {
 public:
  explicit State(const Graph& graph) : graph_(graph), top_(graph.size()), in_(graph.size()) {}

  [[nodiscard]] double gain(Item item) const override {
    return in_.contains(item) ? sum_over_row<lost_without>(item) : sum_over_row<gained_with>(item);
  }
  void expect(Item item) const override {
    __builtin_prefetch(&top_[item]);
    graph_.prefetch_row(item);
  }
  void add(Item item, const Membership& /*set*/) override {
    in_.insert(item);
    top_[item].offer(1.0);
    const auto neighbors = graph_.neighbors(item);
    const auto dissimilarities = graph_.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      top_[neighbors[at]].offer(graph_.similarity(dissimilarities[at]));
  }
  void remove(Item item, const Membership& /*set*/) override {
    in_.erase(item);
    look_again(item);
    for (const Item other : graph_.neighbors(item)) look_again(other);
  }

 private:
  /// What one item of the row adds for a newcomer that is `s` similar to it.
  static double gained_with(const TopTwo& top, double s) noexcept {
    return s > top.best ? s - top.best : 0.0;
  }
  /// What it loses with a member: the way down to the second, unless another is the best.
  static double lost_without(const TopTwo& top, double s) noexcept {
    return s < top.best ? 0.0 : s - top.second;
  }

  template <double (*share)(const TopTwo&, double) noexcept>
  [[nodiscard]] double sum_over_row(Item item) const {
    const auto neighbors = graph_.neighbors(item);
    const auto dissimilarities = graph_.dissimilarities(item);
    double sum = share(top_[item], 1.0);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      sum += share(top_[neighbors[at]], graph_.similarity(dissimilarities[at]));
    return sum;
  }
  void look_again(Item item) {
    TopTwo top;
    if (in_.contains(item)) top.offer(1.0);
    const auto neighbors = graph_.neighbors(item);
    const auto dissimilarities = graph_.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      if (in_.contains(neighbors[at])) top.offer(graph_.similarity(dissimilarities[at]));
    top_[item] = top;
  }

  const Graph& graph_;
  std::vector<TopTwo> top_;
  Membership in_;
};

}  // namespace

std::unique_ptr<TermState> FacilityLocationTerm::start() const {
  return std::make_unique<State>(graph_);
}

double FacilityLocationTerm::value(std::span<const Item> set) const {
  std::vector<double> best(graph_.size(), 0.0);
  for (const Item item : set) {
    best[item] = 1;
    const auto neighbors = graph_.neighbors(item);
    const auto dissimilarities = graph_.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      best[neighbors[at]] = std::max(best[neighbors[at]], graph_.similarity(dissimilarities[at]));
  }
  double sum = 0;
  for (const double s : best) sum += s;
  return sum;
}

double FacilityLocationTerm::least_gain(Item item) const {
  double largest = 0;
  for (const float d : graph_.dissimilarities(item)) largest = std::max(largest, graph_.similarity(d));
  return 1 - largest;
}

std::unique_ptr<Term> make_facility_location_term(const TermSources& sources) {
  if (sources.options.facility == Facility::dense) return make_dense_facility_term(sources);
  return std::make_unique<FacilityLocationTerm>(sources.graph);
}

}  // namespace pith

#include "objective/diversity.h"

#include <algorithm>

#include "base/parallel.h"

namespace pith {
namespace {

double weighted_degree(const Graph& graph, Item item) {
  double sum = 0;
  for (const float d : graph.dissimilarities(item)) sum += graph.similarity(d);
  return sum;
}

class State final : public TermState {
 public:
  State(const Graph& graph, double gamma, double constant)
      : graph_(graph), gamma_(gamma), constant_(constant), penalty_(graph.size(), 0.0) {}

  [[nodiscard]] double gain(Item item) const override { return constant_ - gamma_ * penalty_[item]; }
  void expect(Item item) const override {
    __builtin_prefetch(&penalty_[item]);
    graph_.prefetch_row(item);
  }
  void add(Item item, const Membership& /*set*/) override { shift(item, 1.0); }
  void remove(Item item, const Membership& /*set*/) override { shift(item, -1.0); }

 private:
  void shift(Item item, double sign) {
    const auto neighbors = graph_.neighbors(item);
    const auto dissimilarities = graph_.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      penalty_[neighbors[at]] += sign * graph_.similarity(dissimilarities[at]);
  }

  const Graph& graph_;
  double gamma_;
  double constant_;
  std::vector<double> penalty_;  ///< sum of s to the neighbours in S
};

}  // namespace

DiversityTerm::DiversityTerm(const Graph& graph, double gamma, const Run& run)
    : graph_(graph), gamma_(gamma) {
  std::vector<double> largest(run.thread_count(), 0.0);
  parallel_for(run, graph.size(), 1 << 14, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t item = begin; item < end; ++item)
      largest[worker] = std::max(largest[worker], weighted_degree(graph, static_cast<Item>(item)));
  });
  largest_degree_ = *std::max_element(largest.begin(), largest.end());
}

std::unique_ptr<TermState> DiversityTerm::start() const {
  return std::make_unique<State>(graph_, gamma_, largest_degree_);
}

double DiversityTerm::value(std::span<const Item> set) const {
  Membership in(graph_.size());
  for (const Item item : set) in.insert(item);
  double inside = 0;
  for (const Item item : set) {
    const auto neighbors = graph_.neighbors(item);
    const auto dissimilarities = graph_.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      if (neighbors[at] > item && in.contains(neighbors[at]))
        inside += graph_.similarity(dissimilarities[at]);
  }
  return static_cast<double>(set.size()) * largest_degree_ - gamma_ * inside;
}

double DiversityTerm::least_gain(Item item) const {
  return largest_degree_ - gamma_ * weighted_degree(graph_, item);
}

}  // namespace pith

#include "objective/diversity.h"

#include "objective/pair_penalty.h"

namespace pith {
namespace {

class State final : public TermState {
 public:
  State(const Graph& graph, double gamma, double constant)
      : gamma_(gamma), constant_(constant), penalty_(graph) {}

  [[nodiscard]] double gain(Item item) const override { return constant_ - gamma_ * penalty_.at(item); }
  void expect(Item item) const override { penalty_.expect(item); }
  void add(Item item, const Membership& /*set*/) override { penalty_.shift(item, 1.0); }
  void remove(Item item, const Membership& /*set*/) override { penalty_.shift(item, -1.0); }

 private:
  double gamma_;
  double constant_;
  PairPenalty penalty_;
};

}  // namespace

DiversityTerm::DiversityTerm(const Graph& graph, double gamma, const Run& run)
    : graph_(graph), gamma_(gamma), largest_degree_(largest_weighted_degree(graph, run)) {}

std::unique_ptr<TermState> DiversityTerm::start() const {
  return std::make_unique<State>(graph_, gamma_, largest_degree_);
}

double DiversityTerm::value(std::span<const Item> set) const {
  return static_cast<double>(set.size()) * largest_degree_ - gamma_ * similarity_inside(graph_, set);
}

double DiversityTerm::least_gain(Item item) const {
  return largest_degree_ - gamma_ * weighted_degree(graph_, item);
}

std::unique_ptr<Term> make_diversity_term(const TermSources& sources) {
  return std::make_unique<DiversityTerm>(sources.graph, sources.options.gamma.value_or(1), sources.run);
}

}  // namespace pith

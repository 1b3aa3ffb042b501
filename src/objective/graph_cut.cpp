#include "objective/graph_cut.h"

#include "base/parallel.h"
#include "objective/pair_penalty.h"

namespace pith {
namespace {

class State final : public TermState {
 public:
  State(const Graph& graph, double twice, const std::vector<double>& degree)
      : twice_(twice), degree_(degree), penalty_(graph) {}

  [[nodiscard]] double gain(Item item) const override { return degree_[item] - twice_ * penalty_.at(item); }
  void expect(Item item) const override {
    __builtin_prefetch(&degree_[item]);
    penalty_.expect(item);
  }
  void add(Item item, const Membership& /*set*/) override { penalty_.shift(item, 1.0); }
  void remove(Item item, const Membership& /*set*/) override { penalty_.shift(item, -1.0); }

 private:
  double twice_;
  const std::vector<double>& degree_;
  PairPenalty penalty_;
};

}  // namespace

GraphCutTerm::GraphCutTerm(const Graph& graph, double lambda, const Run& run)
    : graph_(graph), twice_(2 * lambda), degree_(graph.size()) {
  parallel_for(run, graph.size(), 1 << 14, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t item = begin; item < end; ++item)
      degree_[item] = weighted_degree(graph, static_cast<Item>(item));
  });
}

std::unique_ptr<TermState> GraphCutTerm::start() const {
  return std::make_unique<State>(graph_, twice_, degree_);
}

double GraphCutTerm::value(std::span<const Item> set) const {
  double sum = 0;
  for (const Item item : set) sum += degree_[item];
  return sum - twice_ * similarity_inside(graph_, set);
}

std::unique_ptr<Term> make_graph_cut_term(const TermSources& sources) {
  return std::make_unique<GraphCutTerm>(sources.graph, sources.options.graph_cut_lambda, sources.run);
}

}  // namespace pith

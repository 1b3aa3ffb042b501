#include "objective/modular.h"

#include <fmt/format.h>

#include "pith/error.h"

namespace pith {
namespace {

class State final : public TermState {
 public:
  explicit State(std::span<const double> scores) : scores_(scores) {}
  [[nodiscard]] double gain(Item item) const override { return scores_[item]; }
  void expect(Item item) const override { __builtin_prefetch(&scores_[item]); }
  void add(Item /*item*/, const Membership& /*set*/) override {}
  void remove(Item /*item*/, const Membership& /*set*/) override {}

 private:
  std::span<const double> scores_;
};

}  // namespace

std::unique_ptr<TermState> ModularTerm::start() const {
  return std::make_unique<State>(scores_);
}

double ModularTerm::value(std::span<const Item> set) const {
  double sum = 0;
  for (const Item item : set) sum += scores_[item];
  return sum;
}

std::unique_ptr<Term> make_uncertainty_term(const TermSources& sources) {
  return std::make_unique<ModularTerm>("uncertainty", sources.predictions.uncertainty());
}

void require_scores(std::span<const double> scores, std::size_t items) {
  if (scores.empty())
    throw Error(ErrorKind::bad_option, "--term: scores needs a column of scores; pass --scores FILE");
  if (scores.size() != items)
    throw Error(ErrorKind::bad_input,
                fmt::format("--scores: {} scores for {} items; give one an item", scores.size(), items));
  // The largest weight is 1e100, too: f of any set of items stays finite.
  constexpr double largest_score = 1e100;
  for (std::size_t item = 0; item < scores.size(); ++item)
    if (!(scores[item] >= 0) || !(scores[item] <= largest_score))
      throw Error(
          ErrorKind::bad_input,
          fmt::format("--scores: item {} has {}; a score must lie in [0, {}], or f is no longer monotone "
                      "or finite",
                      item, scores[item], largest_score));
}

std::unique_ptr<Term> make_scores_term(const TermSources& sources) {
  require_scores(sources.scores, sources.graph.size());
  return std::make_unique<ModularTerm>("scores", sources.scores);
}

}  // namespace pith

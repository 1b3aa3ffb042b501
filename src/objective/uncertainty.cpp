#include "objective/uncertainty.h"

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

std::unique_ptr<TermState> UncertaintyTerm::start() const {
  return std::make_unique<State>(scores_);
}

double UncertaintyTerm::value(std::span<const Item> set) const {
  double sum = 0;
  for (const Item item : set) sum += scores_[item];
  return sum;
}

}  // namespace pith

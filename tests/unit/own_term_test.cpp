#include <gtest/gtest.h>

#include <limits>

#include "pith/pith.h"
#include "support/errors.h"
#include "support/runs.h"
#include "support/strategy_data.h"

namespace pith {
namespace {

using testing::expect_bad_input;
using testing::StrategyData;
using testing::with_threads;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// A term that says of one item what is no number: as its gain, or as what is left of that at least.
class OddTerm final : public Term {
 public:
  OddTerm(Item odd, bool of_least) : odd_(odd), of_least_(of_least) {}
  [[nodiscard]] std::string_view name() const override { return "odd"; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override {
    return std::make_unique<State>(of_least_ ? std::numeric_limits<Item>::max() : odd_);
  }
  [[nodiscard]] double value(std::span<const Item> set) const override {
    return static_cast<double>(set.size());
  }
  [[nodiscard]] double least_gain(Item item) const override {
    return of_least_ && item == odd_ ? no_number : 0.0;
  }
  [[nodiscard]] Reach reach() const override { return Reach::nobody; }

 private:
  class State final : public TermState {
   public:
    explicit State(Item odd) : odd_(odd) {}
    [[nodiscard]] double gain(Item item) const override { return item == odd_ ? no_number : 1.0; }
    void add(Item /*item*/, const Membership& /*set*/) override {}
    void remove(Item /*item*/, const Membership& /*set*/) override {}

   private:
    Item odd_;
  };

  Item odd_;
  bool of_least_;
};

TEST(own_term, that_gives_no_number_is_refused_and_keeps_nobody_busy) {
  StrategyData data(7, 60, 40);
  data.input.labelled.clear();
  data.input.excluded.clear();
  SelectOptions options;
  options.strategy = "submod";
  options.budget.amount = static_cast<std::int64_t>(data.n);
  options.objective.terms = {{"uncertainty", 1}, {"odd", 1}};
  for (const bool of_least : {false, true}) {
    data.input.own_terms = {
        {"odd", "", [&](const TermSources&) { return std::make_unique<OddTerm>(3, of_least); }}};
    for (const Optimizer optimizer :
         {Optimizer::lazy, Optimizer::naive, Optimizer::stochastic, Optimizer::threshold})
      for (const unsigned threads : {1U, 2U}) {
        options.greedy.optimizer = optimizer;
        expect_bad_input({"'odd'", "item 3", "not a number"},
                         [&] { static_cast<void>(select(data.input, options, with_threads(threads))); });
      }
  }
}

}  // namespace
}  // namespace pith

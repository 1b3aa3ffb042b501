#pragma once

#include "objective/term.h"

namespace pith {

/// sum of u(i) over S. Modular: any column of non-negative scores will do.
class UncertaintyTerm final : public Term {
 public:
  /// `scores` must outlive the term.
  explicit UncertaintyTerm(std::span<const double> scores) : scores_(scores) {}
  [[nodiscard]] std::string_view name() const override { return "uncertainty"; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override;
  [[nodiscard]] double value(std::span<const Item> set) const override;
  [[nodiscard]] double least_gain(Item item) const override { return scores_[item]; }

 private:
  std::span<const double> scores_;
};

}  // namespace pith

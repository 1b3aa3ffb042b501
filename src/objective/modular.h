#pragma once

#include "pith/term.h"

namespace pith {

/// sum over S of a score an item: u(i), or a column of the user's. Modular; scores are not negative.
class ModularTerm final : public Term {
 public:
  /// `scores` must outlive the term.
  ModularTerm(std::string_view name, std::span<const double> scores) : name_(name), scores_(scores) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override;
  [[nodiscard]] double value(std::span<const Item> set) const override;
  [[nodiscard]] double least_gain(Item item) const override { return scores_[item]; }
  [[nodiscard]] Reach reach() const override { return Reach::nobody; }

 private:
  std::string_view name_;
  std::span<const double> scores_;
};

/// A bad option where there are no scores, bad input where they are not one finite number >= 0 an item.
void require_scores(std::span<const double> scores, std::size_t items);

[[nodiscard]] std::unique_ptr<Term> make_uncertainty_term(const TermSources& sources);
/// The user's column, checked by require_scores().
[[nodiscard]] std::unique_ptr<Term> make_scores_term(const TermSources& sources);

}  // namespace pith

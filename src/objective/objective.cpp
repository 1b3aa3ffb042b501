#include "objective/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "objective/registry.h"
#include "pith/error.h"

namespace pith {
namespace {

/// What is no number is never the largest, nor equal to itself: a greedy would look at it for ever, and
/// sorting would go astray.
[[noreturn]] void refuse_gain(std::string_view term, Item item) {
  throw Error(ErrorKind::bad_input,
              fmt::format("the term '{}' gives item {} a gain that is not a number; gains must be numbers of "
                          "at least 0",
                          term, item));
}

}  // namespace

double Objective::value(std::span<const Item> set) const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.weight * part.term->value(set);
  return sum;
}

double Objective::constant() const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.weight * part.term->constant();
  return sum;
}

double Objective::least_gain(Item item) const {
  double sum = 0;
  for (const Part& part : parts_) {
    sum += part.weight * part.term->least_gain(item);
    if (std::isnan(sum)) refuse_gain(part.term->name(), item);
  }
  return sum;
}

double Objective::pair_loss(bool from_nothing) const {
  double sum = 0;
  for (const Part& part : parts_)
    sum += part.weight * (from_nothing ? part.term->pair_loss_from_nothing() : part.term->pair_loss());
  return sum;
}

Reach Objective::reach() const {
  Reach farthest = Reach::nobody;
  for (const Part& part : parts_)
    if (part.weight != 0) farthest = std::max(farthest, part.term->reach());
  return farthest;
}

std::optional<std::size_t> Objective::find(std::string_view term) const {
  for (std::size_t at = 0; at < parts_.size(); ++at)
    if (parts_[at].term->name() == term) return at;
  return std::nullopt;
}

std::vector<TermWeight> terms_of(const ObjectiveOptions& options) {
  if (!options.terms.empty()) return options.terms;
  const std::array<double, 3> lambda = options.lambda.value_or(ObjectiveOptions::usual_lambda);
  return {{"uncertainty", lambda[0]},
          {"diversity", lambda[1]},
          {options.clique_size == 4 ? "quads" : "triples", lambda[2]}};
}

Objective make_objective(const TermSources& sources, std::span<const TermSpec> own) {
  std::vector<Objective::Part> parts;
  for (const TermWeight& term : terms_of(sources.options))
    parts.push_back({term.weight, find_term(term.name, own).make(sources)});
  return {sources.graph.size(), std::move(parts)};
}

ObjectiveState::ObjectiveState(const Objective& objective) : set_(objective.items()) {
  for (const Objective::Part& part : objective.parts())
    parts_.push_back({part.weight, part.term->start(), part.term.get()});
}

double ObjectiveState::gain(Item item) const {
  double sum = 0;
  for (const Part& part : parts_) {
    sum += part.weight * part.state->gain(item);
    if (std::isnan(sum)) refuse_gain(part.term->name(), item);
  }
  return sum;
}

void ObjectiveState::add(Item item) {
  for (const Part& part : parts_)
    if (part.weight != 0) part.state->add(item, set_);
  set_.insert(item);
}

void ObjectiveState::remove(Item item) {
  set_.erase(item);
  for (const Part& part : parts_)
    if (part.weight != 0) part.state->remove(item, set_);
}

}  // namespace pith

#include "objective/objective.h"

#include "objective/diversity.h"
#include "objective/triples.h"
#include "objective/uncertainty.h"

namespace pith {

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
  for (const Part& part : parts_) sum += part.weight * part.term->least_gain(item);
  return sum;
}

double Objective::pair_loss() const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.weight * part.term->pair_loss();
  return sum;
}

Objective make_objective(const Predictions& predictions, const Graph& graph, const Triangles& triangles,
                         const ObjectiveOptions& options, const Run& run) {
  std::vector<Objective::Part> parts;
  parts.push_back({options.lambda[0], std::make_unique<UncertaintyTerm>(predictions.uncertainty())});
  parts.push_back({options.lambda[1], std::make_unique<DiversityTerm>(graph, options.gamma, run)});
  parts.push_back({options.lambda[2],
                   std::make_unique<TriplesTerm>(graph, triangles, options.eta, options.triple_scale)});
  return {graph.size(), std::move(parts)};
}

ObjectiveState::ObjectiveState(const Objective& objective) : set_(objective.items()) {
  for (const Objective::Part& part : objective.parts()) parts_.push_back({part.weight, part.term->start()});
}

double ObjectiveState::gain(Item item) const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.weight * part.state->gain(item);
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

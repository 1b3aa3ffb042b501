#pragma once

#include <rapidcheck.h>

#include "constraint/feasibility.h"

namespace balance_gen {

/// A number in [low, high), the whole range from the first round on (inRange alone starts near low).
template <class T>
T pick(T low, T high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(low, high));
}

struct Instance {
  pith::Balance balance;
  pith::Pool pool;
};

/// What an instance looks like. Few groups and small caps: ties and binding caps everywhere.
struct Shape {
  int most_items = 12;
  int most_groups = 4;
  int most_cap = 5;
};

inline pith::Partition partition(std::size_t n, const pith::Pool& pool, const Shape& shape, bool may_be_off) {
  pith::Partition made;
  made.active = !may_be_off || pick(0, 8) != 0;
  const auto groups = static_cast<std::size_t>(pick(1, shape.most_groups + 1));
  made.available.assign(groups, 0);
  made.labelled.assign(groups, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto group = static_cast<std::uint32_t>(pick(0, static_cast<int>(groups) + 1));
    made.group_of.push_back(group == groups ? pith::no_group : group);
    if (group == groups) continue;
    if (pool.state[i] == pith::Pool::State::candidate) ++made.available[group];
    if (pool.state[i] == pith::Pool::State::labelled) ++made.labelled[group];
  }
  for (std::size_t g = 0; g < groups; ++g) made.cap_requested.push_back(pick(0, shape.most_cap + 1));
  made.cap = made.cap_requested;
  return made;
}

/// Groups at random, boundaries across any number of classes: more general than predictions give.
inline Instance instance(const Shape& shape) {
  const auto n = static_cast<std::size_t>(pick(0, shape.most_items + 1));
  Instance made;
  made.pool = pith::Pool::of_all(n);
  const bool all_candidates = pick(0, 2) == 0;
  for (std::size_t i = 0; i < n && !all_candidates; ++i) {
    const int draw = pick(0, 8);
    if (draw == 6) {
      made.pool.state[i] = pith::Pool::State::labelled;
      made.pool.labelled.push_back(static_cast<pith::Item>(i));
      made.pool.labelled_class.push_back(pith::no_group);
    }
    if (draw == 7) made.pool.state[i] = pith::Pool::State::excluded;
  }
  made.balance.classes = partition(n, made.pool, shape, true);
  made.balance.boundaries = partition(n, made.pool, shape, true);
  return made;
}

/// Predictions of n items over `classes` classes, best and second different, margins on a grid around tau.
inline pith::Predictions predictions(std::size_t n, std::uint32_t classes) {
  pith::Predictions made;
  made.classes = classes;
  for (std::size_t i = 0; i < n; ++i) {
    const auto best = pick<std::uint32_t>(0, classes);
    const auto step = pick<std::uint32_t>(1, classes);
    made.best.push_back(best);
    made.second.push_back((best + step) % classes);
    made.margin.push_back(*rc::gen::element(0.0, 0.04, 0.05, 0.06, 0.5, 1.0));
  }
  return made;
}

}  // namespace balance_gen

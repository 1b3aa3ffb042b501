#include "constraint/balance.h"

#include <fmt/format.h>

#include <cassert>
#include <numeric>

#include "constraint/boundary_index.h"
#include "constraint/cap_file.h"
#include "constraint/caps.h"
#include "pith/error.h"

namespace pith {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// What the caps are to balance: the budget and the labelled items together, out of all that is not excluded.
struct Whole {
  std::int64_t chosen = 0;  ///< k + |A|
  std::int64_t items = 0;   ///< not excluded
};

/// Fills available and labelled from group_of.
void count_members(Partition& partition, std::size_t groups, const Pool& pool) {
  partition.available.assign(groups, 0);
  partition.labelled.assign(groups, 0);
  for (std::size_t i = 0; i < pool.state.size(); ++i) {
    if (pool.state[i] == Pool::State::excluded) continue;
    auto& counts = pool.state[i] == Pool::State::labelled ? partition.labelled : partition.available;
    partition.for_each_group(static_cast<Item>(i), [&](std::uint32_t group) { ++counts[group]; });
  }
}

void set_given_labels(Partition& classes, const Predictions& predictions, const Pool& pool) {
  for (std::size_t i = 0; i < pool.labelled.size(); ++i) {
    const std::uint32_t given = pool.labelled_class[i];
    if (given == no_group) continue;
    if (given >= predictions.classes) {
      throw Error(
          ErrorKind::bad_input,
          fmt::format("labelled item {} has class {}, but the probabilities have {} columns; use 0 to {}",
                      pool.labelled[i], given, predictions.classes, predictions.classes - 1));
    }
    classes.group_of[pool.labelled[i]] = given;
  }
}

/// Items of each group that are not excluded.
std::vector<std::int64_t> sizes_of(const Partition& partition) {
  std::vector<std::int64_t> sizes(partition.available.size());
  std::transform(partition.available.begin(), partition.available.end(), partition.labelled.begin(),
                 sizes.begin(), std::plus<>{});
  return sizes;
}

/// An equal share, whether or not every class has so many; with slack, a multiple of the level at which the
/// classes fill the budget.
std::int64_t uniform_class_cap(const Partition& classes, double slack, const Whole& whole) {
  if (classes.available.empty()) return 0;
  if (slack == 1) return ceil_of_share(whole.chosen, 1, static_cast<std::int64_t>(classes.available.size()));
  return slack_times(slack, water_level(sizes_of(classes), whole.chosen));
}

std::vector<std::int64_t> class_caps(const Partition& partition, const BalanceOptions& options,
                                     const Whole& whole) {
  const auto classes = static_cast<std::uint32_t>(partition.available.size());
  std::vector<std::int64_t> caps(classes,
                                 uniform_class_cap(partition, options.class_slack.value_or(1), whole));
  std::visit(
      Overloaded{[](const UniformCap&) {}, [&](const FixedCap& fixed) { caps.assign(classes, fixed.cap); },
                 [&](const CapFile& file) {
                   for (const CapLine& line : read_class_caps(file.path, classes)) caps[line.low] = line.cap;
                 }},
      options.class_cap);
  return caps;
}

/// Caps of listed boundaries that have items; the others are nothing to cap.
void apply_boundary_file(std::vector<std::int64_t>& caps, const Balance& balance, const CapFile& file,
                         std::uint32_t classes) {
  const auto& pairs = balance.boundary_pairs;
  for (const CapLine& line : read_boundary_caps(file.path, classes)) {
    const std::pair pair{line.low, line.high};
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), pair);
    if (at != pairs.end() && *at == pair) caps[static_cast<std::size_t>(at - pairs.begin())] = line.cap;
  }
}

std::vector<std::int64_t> boundary_caps(const Balance& balance, const BalanceOptions& options,
                                        std::uint32_t classes, const Whole& whole) {
  const Partition& boundaries = balance.boundaries;
  const std::size_t groups = balance.boundary_pairs.size();
  const std::vector<std::int64_t> sizes = sizes_of(boundaries);
  std::vector<std::int64_t> caps(groups);
  // As many places in boundaries as the whole would take if it were drawn evenly: its own number where an
  // item has one place, as many more as items have places on average.
  const auto places = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  const auto on_some = static_cast<std::int64_t>(boundaries.group_of.size()) -
                       std::count(boundaries.group_of.begin(), boundaries.group_of.end(), no_group);
  const std::int64_t wanted = on_some == 0 ? 0 : ceil_of_share(whole.chosen, places, on_some);
  const auto set_uniform = [&] {
    caps.assign(groups, slack_times(options.boundary_slack, water_level(sizes, wanted)));
  };
  std::visit(Overloaded{[&](const UniformCap&) { set_uniform(); },
                        [&](const ProportionalCap&) {
                          for (std::size_t b = 0; b < groups; ++b) {
                            caps[b] =
                                std::max<std::int64_t>(1, ceil_of_share(whole.chosen, sizes[b], whole.items));
                          }
                        },
                        [&](const FixedCap& fixed) { caps.assign(groups, fixed.cap); },
                        [&](const CapFile& file) {
                          set_uniform();
                          apply_boundary_file(caps, balance, file, classes);
                        }},
             options.boundary_cap);
  return caps;
}

}  // namespace

Pool Pool::of_all(std::size_t n) {
  Pool pool;
  pool.state.assign(n, State::candidate);
  return pool;
}

std::size_t Pool::candidates() const noexcept {
  return static_cast<std::size_t>(std::count(state.begin(), state.end(), State::candidate));
}

Balance make_balance(const Predictions& predictions, const Pool& pool, std::int64_t budget, BalanceKind kind,
                     const BalanceOptions& options) {
  assert(pool.state.size() == predictions.size());
  assert(pool.labelled.size() == pool.labelled_class.size());
  Balance balance;
  balance.classes.active = kind == BalanceKind::class_only || kind == BalanceKind::both;
  balance.boundaries.active = kind == BalanceKind::boundary_only || kind == BalanceKind::both;

  balance.classes.group_of = predictions.best;
  set_given_labels(balance.classes, predictions, pool);
  count_members(balance.classes, predictions.classes, pool);

  if (predictions.further + 1 < options.boundaries_per_item)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("--boundaries-per-item: {} asked for, but the predictions were read for {}; read them "
                    "for as many",
                    options.boundaries_per_item, predictions.further + 1));
  BoundaryIndex index = index_boundaries(predictions, pool, options.tau, options.boundaries_per_item);
  balance.boundary_pairs = std::move(index.pairs);
  balance.boundaries.group_of = std::move(index.group_of);
  balance.boundaries.further = options.boundaries_per_item - 1;
  balance.boundaries.further_groups = std::move(index.further_groups);
  count_members(balance.boundaries, balance.boundary_pairs.size(), pool);

  const auto& available = balance.classes.available;
  const auto candidates = std::accumulate(available.begin(), available.end(), std::int64_t{0});
  const auto labelled = static_cast<std::int64_t>(pool.labelled.size());
  const Whole whole{.chosen = budget + labelled, .items = candidates + labelled};
  balance.classes.cap_requested = class_caps(balance.classes, options, whole);
  balance.classes.cap = balance.classes.cap_requested;
  balance.boundaries.cap_requested = boundary_caps(balance, options, predictions.classes, whole);
  balance.boundaries.cap = balance.boundaries.cap_requested;
  return balance;
}

}  // namespace pith

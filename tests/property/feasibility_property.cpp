#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "constraint/cap_flow.h"
#include "constraint/feasibility.h"
#include "support/balance_gen.h"
#include "support/slow_feasibility.h"

namespace {

using balance_gen::Instance;
using balance_gen::Shape;
using pith::Balance;
using pith::count_cells;
using pith::feasible_size;
using pith::relax_caps;

/// Instances a property tries in each of rapidcheck's hundred rounds.
constexpr int instances = 30;

RC_GTEST_PROP(Cells, CountEveryCandidateOnceInOrder, ()) {
  const Instance made = balance_gen::instance({.most_items = 40, .most_groups = 6, .most_cap = 5});
  const auto cells = count_cells(made.balance, made.pool);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> counted;
  for (const pith::Item i : slow::candidates(made.pool)) {
    ++counted[{made.balance.classes.group_of[i], made.balance.boundaries.group_of[i]}];
  }
  RC_ASSERT(cells.size() == counted.size());
  std::size_t c = 0;
  for (const auto& [groups, items] : counted) {
    RC_ASSERT(cells[c].class_group == groups.first);
    RC_ASSERT(cells[c].boundary_group == groups.second);
    RC_ASSERT(cells[c].items == items);
    ++c;
  }
}

RC_GTEST_PROP(FeasibleSize, IsTheBestOfAllSubsets, ()) {
  for (int round = 0; round < instances; ++round) {
    const Instance made = balance_gen::instance({.most_items = 10, .most_groups = 4, .most_cap = 4});
    const auto size = feasible_size(made.balance, count_cells(made.balance, made.pool));
    RC_ASSERT(size == slow::feasible_size_by_subsets(made.balance, made.pool));
    RC_ASSERT(size == slow::feasible_size(made.balance, made.pool));
  }
}

RC_GTEST_PROP(FeasibleSize, IsTheItemByItemFlow, ()) {
  for (int round = 0; round < 5; ++round) {
    const Instance made = balance_gen::instance({.most_items = 120, .most_groups = 12, .most_cap = 12});
    const auto size = feasible_size(made.balance, count_cells(made.balance, made.pool));
    RC_ASSERT(size == slow::feasible_size(made.balance, made.pool));
  }
}

/// Caps of one or two among many groups: close to bipartite matching, where neither reducing nor greedy
/// suffices.
RC_GTEST_PROP(FeasibleSize, IsTheItemByItemFlowWhereCapsAreTight, ()) {
  for (int round = 0; round < 20; ++round) {
    const Instance made = balance_gen::instance({.most_items = 60, .most_groups = 16, .most_cap = 2});
    const auto size = feasible_size(made.balance, count_cells(made.balance, made.pool));
    RC_ASSERT(size == slow::feasible_size(made.balance, made.pool));
  }
}

/// The last stage by itself, after a clumsy first flow: in the order of the cells, up to a random share of
/// each.
RC_GTEST_PROP(AugmentByMaxFlow, CompletesAnyFlow, ()) {
  for (int round = 0; round < 20; ++round) {
    const Instance made = balance_gen::instance({.most_items = 60, .most_groups = 10, .most_cap = 6});
    const auto classes = static_cast<std::uint32_t>(made.balance.classes.groups());
    const auto boundaries = static_cast<std::uint32_t>(made.balance.boundaries.groups());
    pith::Rooms rooms = pith::rooms_of(made.balance, 60);
    std::vector<pith::FlowCell> cells;
    std::vector<std::int64_t> taken;
    std::int64_t flow = 0;
    for (const pith::Cell& cell : count_cells(made.balance, made.pool)) {
      cells.push_back(
          {std::min(cell.class_group, classes), std::min(cell.boundary_group, boundaries), cell.items});
      auto& class_room = rooms.classes[cells.back().class_group];
      auto& boundary_room = rooms.boundaries[cells.back().boundary_group];
      const auto most = std::min({cell.items, class_room, boundary_room});
      taken.push_back(balance_gen::pick<std::int64_t>(0, most + 1));
      class_room -= taken.back();
      boundary_room -= taken.back();
      flow += taken.back();
    }
    flow += pith::augment_by_max_flow(cells, taken, rooms);
    RC_ASSERT(flow == slow::feasible_size(made.balance, made.pool));
  }
}

RC_GTEST_PROP(FeasibleSize, IsTheItemByItemFlowOnPredictions, ()) {
  const auto n = balance_gen::pick<std::size_t>(1, 150);
  const auto predictions = balance_gen::predictions(n, balance_gen::pick<std::uint32_t>(2, 9));
  const pith::Pool pool = pith::Pool::of_all(n);
  const auto budget = balance_gen::pick<std::int64_t>(1, static_cast<std::int64_t>(n) + 1);
  pith::BalanceOptions options;
  if (*rc::gen::arbitrary<bool>()) options.boundary_cap = pith::ProportionalCap{};
  const Balance balance = pith::make_balance(predictions, pool, budget, pith::BalanceKind::both, options);
  RC_ASSERT(feasible_size(balance, count_cells(balance, pool)) == slow::feasible_size(balance, pool));
}

RC_GTEST_PROP(RelaxCaps, RaisesByTheLeastThatAdmitsTheBudget, ()) {
  for (int round = 0; round < instances; ++round) {
    const Instance made = balance_gen::instance({.most_items = 14, .most_groups = 4, .most_cap = 5});
    const auto budget = balance_gen::pick<std::int64_t>(0, 17);
    const auto cells = count_cells(made.balance, made.pool);
    Balance relaxed = made.balance;
    const auto result = relax_caps(relaxed, cells, budget);
    const Balance expected = slow::SlowRelaxer(made.balance, made.pool).relaxed(budget);
    RC_ASSERT(relaxed.classes.cap == expected.classes.cap);
    RC_ASSERT(relaxed.boundaries.cap == expected.boundaries.cap);
    RC_ASSERT(result.feasible_size_requested == slow::feasible_size(made.balance, made.pool));
    RC_ASSERT(result.feasible_size == slow::feasible_size(expected, made.pool));
  }
}

RC_GTEST_PROP(RelaxCaps, KeepsItsPromises, ()) {
  for (int round = 0; round < instances; ++round) {
    const Instance made = balance_gen::instance({.most_items = 60, .most_groups = 7, .most_cap = 8});
    const auto budget = balance_gen::pick<std::int64_t>(0, 70);
    const auto cells = count_cells(made.balance, made.pool);
    Balance relaxed = made.balance;
    const auto result = relax_caps(relaxed, cells, budget);
    RC_ASSERT(result.feasible_size == feasible_size(relaxed, cells));
    bool changed = false;
    bool has_zero = false;
    for (const auto part : {&Balance::classes, &Balance::boundaries}) {
      for (std::size_t g = 0; g < (relaxed.*part).groups(); ++g) {
        const auto requested = (made.balance.*part).cap_requested[g];
        const auto cap = (relaxed.*part).cap[g];
        RC_ASSERT(cap >= requested);
        RC_ASSERT((relaxed.*part).cap_requested[g] == requested);
        if (requested == 0 || !(relaxed.*part).active) RC_ASSERT(cap == requested);
        changed = changed || cap != requested;
        has_zero = has_zero || requested == 0;
      }
    }
    RC_ASSERT(result.relaxed == changed);
    if (result.feasible_size_requested >= budget) RC_ASSERT(!result.relaxed);
    const auto enough = static_cast<std::int64_t>(made.pool.candidates()) >= budget;
    if (enough && !has_zero) RC_ASSERT(result.feasible_size >= budget);
    if (result.class_level == 0) RC_ASSERT(relaxed.classes.cap == made.balance.classes.cap);
    if (result.boundary_factor == 1) RC_ASSERT(relaxed.boundaries.cap == made.balance.boundaries.cap);
    if (result.class_level > 0) {
      Balance lower = relaxed;
      for (std::size_t g = 0; g < lower.classes.groups(); ++g) {
        const auto requested = lower.classes.cap_requested[g];
        if (requested > 0) lower.classes.cap[g] = std::max(requested, result.class_level - 1);
      }
      RC_ASSERT(feasible_size(lower, cells) < std::min(budget, result.feasible_size));
    }
    Balance again = relaxed;
    const auto second = relax_caps(again, cells, budget);
    RC_ASSERT(again.classes.cap == relaxed.classes.cap);
    RC_ASSERT(again.boundaries.cap == relaxed.boundaries.cap);
    RC_ASSERT(second.feasible_size == result.feasible_size);
  }
}

}  // namespace

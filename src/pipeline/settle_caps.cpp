#include "pipeline/settle_caps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "constraint/feasibility.h"
#include "pith/error.h"

namespace pith {
namespace {

/// The most that the caps of one partition admit, the other left aside.
std::int64_t admitted(const Partition& groups) {
  std::int64_t sum = 0;
  for (std::size_t group = 0; group < groups.groups(); ++group)
    sum += std::clamp<std::int64_t>(groups.room(group), 0, groups.available[group]);
  return sum;
}

/// What the caps lack, for the message of --shortfall error.
std::string describe_shortfall(const Balance& balance, std::int64_t budget, std::int64_t feasible) {
  std::string full;
  const bool classes_alone = balance.classes.active && admitted(balance.classes) == feasible;
  if (classes_alone) full = "; the class caps alone admit no more";
  if (balance.classes.active) {
    std::vector<std::size_t> scarce;
    for (std::size_t group = 0; group < balance.classes.groups(); ++group)
      if (balance.classes.available[group] < balance.classes.room(group)) scarce.push_back(group);
    if (!scarce.empty()) {
      const std::size_t shown = std::min<std::size_t>(scarce.size(), 8);
      full +=
          fmt::format("; {} of {} classes have fewer items than their cap (class {}{})", scarce.size(),
                      balance.classes.groups(),
                      fmt::join(scarce.begin(), scarce.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                      shown < scarce.size() ? ", ..." : "");
    }
  }
  const Partition& boundaries = balance.boundaries;
  if (boundaries.active && !classes_alone) {
    std::size_t crowded = 0;
    for (std::size_t group = 0; group < boundaries.groups(); ++group)
      crowded += boundaries.available[group] > boundaries.room(group) ? 1 : 0;
    if (crowded > 0)
      full +=
          fmt::format("; {} of {} boundaries have more items than their cap", crowded, boundaries.groups());
  }
  return fmt::format(
      "infeasible: {} items asked for, but no more than {} fit the caps ({} missing){}; lower --budget, "
      "raise {}, or use --shortfall relax or stop",
      budget, feasible, budget - feasible, full,
      !boundaries.active || classes_alone ? "--class-cap"
      : !balance.classes.active           ? "--boundary-cap"
                                          : "--class-cap or --boundary-cap");
}

/// The cells as a flow over first boundaries should see them: without the candidates that a cap of 0 on one
/// of their other boundaries rules out.
std::vector<Cell> count_open_cells(const Balance& balance, const Pool& pool) {
  const Partition& boundaries = balance.boundaries;
  if (!boundaries.active || boundaries.further == 0) return count_cells(balance, pool);
  Pool left = pool;
  for (std::size_t at = 0; at < left.state.size(); ++at)
    boundaries.for_each_group(static_cast<Item>(at), [&](std::uint32_t group) {
      if (left.state[at] == Pool::State::candidate && boundaries.cap_requested[group] == 0)
        left.state[at] = Pool::State::excluded;
    });
  return count_cells(balance, left);
}

}  // namespace

std::int64_t settle_caps(Selection& selection, Balance& balance, const Pool& pool, Shortfall rule) {
  const std::vector<Cell> cells = count_open_cells(balance, pool);
  selection.feasible_size_exact = !balance.boundaries.active || balance.boundaries.further == 0;
  selection.feasible_size = feasible_size(balance, cells);
  if (selection.feasible_size >= selection.requested) return selection.requested;
  if (rule == Shortfall::error)
    throw Error(ErrorKind::infeasible,
                describe_shortfall(balance, selection.requested, selection.feasible_size));
  if (rule == Shortfall::stop) return selection.feasible_size;
  const Relaxation relaxation = relax_caps(balance, cells, selection.requested);
  selection.relaxed = relaxation.relaxed;
  selection.class_level = relaxation.class_level;
  selection.boundary_factor = relaxation.boundary_factor;
  return std::min(selection.requested, relaxation.feasible_size);
}

std::string describe_undecided(const Selection& selection, std::size_t found) {
  return fmt::format(
      "infeasible: {} items asked for, and the greedy found {} within the caps; with several boundaries an "
      "item it is not decided whether more fit; lower --budget, raise --boundary-cap or --class-cap, or use "
      "--shortfall relax or stop",
      selection.requested, found);
}

bool raise_boundary_caps(Selection& selection, Balance& balance) {
  Partition& boundaries = balance.boundaries;
  bool binding = false;
  for (std::size_t group = 0; group < boundaries.groups(); ++group)
    binding = binding || (boundaries.cap_requested[group] > 0 &&
                          boundaries.cap[group] < boundaries.available[group] + boundaries.labelled[group]);
  if (!binding) return false;
  selection.relaxed = true;
  for (bool raised = false; !raised;) {
    selection.boundary_factor *= 1.25;
    for (std::size_t group = 0; group < boundaries.groups(); ++group) {
      // A cap may be as large as whole numbers go; raised, it must still be one.
      const auto cap = static_cast<std::int64_t>(
          std::min(0x1p62, selection.boundary_factor * static_cast<double>(boundaries.cap_requested[group])));
      raised = raised || cap > boundaries.cap[group];
      boundaries.cap[group] = std::max(boundaries.cap[group], cap);
    }
  }
  return true;
}

}  // namespace pith

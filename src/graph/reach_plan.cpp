#include "graph/reach_plan.h"

#include <algorithm>
#include <limits>

namespace pith {

ReachFinder::ReachFinder(const RecallCheck& check, const NeighborSearch& search, const Cells& cells,
                         std::size_t places, const Run& run)
    : check_(check), search_(search) {
  std::vector<Item> rows;
  const auto note = [&](Item row) {
    if (place_of_.emplace(row, rows.size()).second) rows.push_back(row);
  };
  for (const Item group : check.groups()) note(group);
  const std::size_t sampled = rows.size();
  for (std::size_t at = 0; at < check.groups().size(); ++at)
    for (const auto& other : check.truth(at)) note(other.row);
  nearest_ = cells.nearest_of(rows, places, run);
  for (std::size_t at = 0; at < sampled; ++at)
    for (std::size_t place = 1; place < places; ++place) gaps_.push_back(nearest_.gaps[at * places + place]);
  // Gaps that are no numbers would break the order; nothing is near those rows anyway.
  std::replace_if(
      gaps_.begin(), gaps_.end(), [](float gap) { return !(gap >= 0); },
      std::numeric_limits<float>::infinity());
  std::sort(gaps_.begin(), gaps_.end());
}

bool ReachFinder::share_a_cell(std::size_t a, std::size_t b, const CellReach& reach) const noexcept {
  for (std::size_t x = 0; x < nearest_.places && joins(a, x, reach); ++x)
    for (std::size_t y = 0; y < nearest_.places && joins(b, y, reach); ++y)
      if (nearest_.cells[a * nearest_.places + x] == nearest_.cells[b * nearest_.places + y]) return true;
  return false;
}

bool ReachFinder::passes(const CellReach& reach, double recall, double error, std::uint64_t times) const {
  auto found = check_.predict(search_, [&](std::size_t at, Item other) {
    return share_a_cell(place_of_.at(check_.groups()[at]), place_of_.at(other), reach);
  });
  for (std::uint64_t& items : found) items *= times;
  return estimate_recall(found, error).low >= recall;
}

/// The reach with which the sampled rows join `joined` cells beyond their nearest, all taken together.
CellReach ReachFinder::reach_at(std::size_t joined) const noexcept {
  if (joined == 0) return {.places = 1, .gap = -1};
  return {.places = nearest_.places,
          .gap = joined == gaps_.size() ? std::numeric_limits<float>::infinity() : gaps_[joined - 1]};
}

CellLoad ReachFinder::load_of(const CellReach& reach) const {
  const std::size_t sampled = check_.groups().size();
  std::unordered_map<std::uint32_t, double> members;
  double all = 0;
  for (std::size_t row = 0; row < sampled; ++row)
    for (std::size_t place = 0; place < reach.places && joins(row, place, reach); ++place, ++all)
      ++members[nearest_.cells[row * nearest_.places + place]];
  double pairs = 0;
  for (const auto& [cell, count] : members) pairs += count * (count - 1) / 2;
  const auto rows = static_cast<double>(sampled);
  return {.places = all / rows, .pairs = rows > 1 ? pairs / (rows * (rows - 1) / 2) : 0};
}

std::optional<ReachFinder::Found> ReachFinder::shortest(double recall, double error, double least_places,
                                                        std::uint64_t times) const {
  const auto found = [&](std::size_t joined) {
    return Found{.reach = reach_at(joined), .load = load_of(reach_at(joined))};
  };
  const double least = (least_places - 1) * static_cast<double>(check_.groups().size());
  std::size_t fails = std::min(gaps_.size(), static_cast<std::size_t>(std::max(0.0, least)));
  if (passes(reach_at(fails), recall, error, times)) return found(fails);
  std::size_t good = gaps_.size();
  if (!passes(reach_at(good), recall, error, times)) return std::nullopt;
  while (good - fails > 1) {
    const std::size_t middle = (good + fails) / 2;
    (passes(reach_at(middle), recall, error, times) ? good : fails) = middle;
  }
  return found(good);
}

}  // namespace pith

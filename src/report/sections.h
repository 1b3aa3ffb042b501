#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/report.h"

namespace pith {

// The parts of the page's data. web/src/shared/data.ts describes them to the page.
using PageJson = nlohmann::ordered_json;

/// Rows of picks the page lists one by one.
inline constexpr std::size_t most_listed_picks = 20'000;

/// Ranks of the picks that are listed: all, or the first ones and those in `always`. Ascending.
[[nodiscard]] std::vector<std::uint32_t> choose_listed(const RunFolder& folder,
                                                       const std::vector<std::uint32_t>& always);
/// Ranks of the picks the model is most and least certain of, most extreme first, ties to the lower rank.
struct Extremes {
  std::vector<std::uint32_t> certain;
  std::vector<std::uint32_t> uncertain;
};
[[nodiscard]] Extremes find_extremes(const RunFolder& folder, std::size_t count);

/// What was asked and what came out: the summary without its long lists.
[[nodiscard]] PageJson run_section(const RunFolder& folder);
/// Classes and boundaries: pool, picks, caps.
[[nodiscard]] PageJson groups_section(const RunFolder& folder, const char* kind);
[[nodiscard]] PageJson picks_section(const RunFolder& folder, const std::vector<std::uint32_t>& listed);
/// Mean share of each term in the gain, for up to `most_bins` stretches of the picks.
[[nodiscard]] PageJson gain_section(const RunFolder& folder, std::size_t most_bins = 240);
/// The points; `inputs` tell what they look like.
[[nodiscard]] PageJson map_section(const RunFolder& folder, const RunInputs& inputs, const ItemMap& map,
                                   const Run& run);
/// Pictures by rank, for as many listed picks as `most` allows, the extremes first.
[[nodiscard]] PageJson thumbnails_section(const RunFolder& folder, const std::vector<std::uint32_t>& listed,
                                          const Extremes& extremes, const std::string& images,
                                          std::size_t most, const Run& run);
[[nodiscard]] PageJson experiment_section(const std::string& folder);
[[nodiscard]] PageJson rounds_section(const std::string& folder);

}  // namespace pith

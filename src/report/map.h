#pragma once

#include <array>
#include <string>
#include <vector>

#include "pipeline/given_options.h"
#include "pipeline/run_folder.h"
#include "pipeline/run_inputs.h"
#include "report/layout.h"

namespace pith {

struct MapOptions {
  std::size_t most_points = 100'000;
  bool layout = true;             ///< beside PCA, a map of the neighbours
  std::string file = "map.pith";  ///< where it is kept, in the run folder
  LayoutOptions layout_options = {};
};

/// From "map", "points" and "seed", each where it is given.
[[nodiscard]] MapOptions read_map_options(const GivenTexts& given);

/// Some or all items of a run, and where they lie. What could not be made is empty.
struct ItemMap {
  std::vector<Item> items;  ///< ascending
  std::vector<Point> pca;
  std::array<double, 2> pca_share{};  ///< of the variance, along each of the two directions
  std::vector<Point> layout;
  std::vector<std::uint32_t>
      stands_for;  ///< for each point, the rank of the pick that stands for it or no_pick

  [[nodiscard]] bool has_places() const noexcept { return !pca.empty() || !layout.empty(); }
};

/// The items to show: all, or, of more than `most`, picks first (at most half), then others at random by a
/// fixed seed.
[[nodiscard]] std::vector<Item> choose_points(std::size_t items, const std::vector<PickRecord>& picks,
                                              std::size_t most);

/// Makes the map, or takes it from the run folder, if there is one, where it is kept in options.file.
/// What could not be kept, and what a sample leaves out, is added to inputs.notes.
[[nodiscard]] ItemMap make_map(const RunFolder& folder, RunInputs& inputs, const MapOptions& options,
                               const Run& run);

/// map.pith: magic, version, key, the arrays, checksum. A file that is damaged or has another key is no map.
[[nodiscard]] std::string map_bytes(const ItemMap& map, const std::string& key);
[[nodiscard]] std::optional<ItemMap> parse_map(std::string_view bytes, const std::string& key);

}  // namespace pith

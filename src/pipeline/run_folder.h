#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/outputs.h"
#include "pith/matrix.h"

namespace pith {

/// One row of selection.csv. Gains are 0 where the run was not measured.
struct PickRecord {
  Item item = 0;
  std::string id;
  double gain = 0;
  double uncertainty = 0;
  double pair_penalty = 0;
  double triple_gain = 0;
  std::uint32_t class_label = 0;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> boundary;
  std::uint32_t represents = 0;
  bool augmented = false;
  std::vector<double> others;  ///< shares of the terms beyond the paper's three
};

/// What `pith select --out` wrote, read back and checked: the three files must belong together.
struct RunFolder {
  std::string path;  ///< empty: it is in no folder
  nlohmann::json summary;
  std::vector<PickRecord> picks;  ///< in pick order
  std::vector<std::string> other_terms;
  bool measured = true;  ///< gains, certificate and `represents` are known
  bool has_ids = false;  ///< ids are more than the indices

  [[nodiscard]] std::size_t items() const { return summary.at("items").get<std::size_t>(); }
  [[nodiscard]] std::uint32_t classes() const { return summary.at("classes").get<std::uint32_t>(); }
  /// The note on one input of the run, or null.
  [[nodiscard]] const nlohmann::json* input(const std::string& role) const;
};

/// Errors name the folder or file, the line and the remedy.
[[nodiscard]] RunFolder read_run_folder(const std::string& path);

/// What the folder of this selection would hold, without one: `path` is empty. `ids` is empty or one an item.
[[nodiscard]] RunFolder run_in_memory(const Selection& selection, std::span<const std::string> ids,
                                      const RunNotes& notes, const Run& run);

/// Whether the folder has this file.
[[nodiscard]] bool folder_has(const std::string& folder, const std::string& name);

/// Throws Error{io} where `path` is not a folder; `remedy` says which one is wanted.
void require_folder(const std::string& path, const std::string& remedy);

}  // namespace pith

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith {

/// What to do with an item that was labelled in two ways.
enum class Conflict : std::uint8_t { error, skip };

struct ImportOptions {
  std::vector<std::string> classes = {};  ///< names of the classes; empty: labels are class numbers
  std::string prefix = {};                ///< what export put before every id
  std::string data_key = "image";
  std::string from_name = "choice";
  Conflict conflict = Conflict::error;
  std::optional<std::size_t> items = {};               ///< how many items there are, where known
  std::optional<std::uint32_t> class_count = {};       ///< how many classes there are, where known
  std::vector<std::pair<std::string, Item>> ids = {};  ///< ids of items, where known: labels then go by index
};

/// An item with its label. Known by index where the file says it or `ids` tells it, else by id.
struct LabelledItem {
  std::optional<Item> item;
  std::string id;
  std::uint32_t label = 0;
};

struct Imported {
  std::vector<LabelledItem> labelled;  ///< in the order of the file
  std::size_t without_label = 0;       ///< tasks or rows that nobody labelled, or that were skipped
  std::size_t conflicting = 0;         ///< items left out by Conflict::skip
};

/// Finished labels: Label Studio's JSON or JSON-MIN export (.json), or a table (.csv, .tsv) with a column
/// index, id, path, file, filename, image or name and a column label or choice. Errors name file, task or
/// line, value and remedy.
[[nodiscard]] Imported import_labels(const std::string& path, const ImportOptions& options);
/// The same, of a file already in memory.
[[nodiscard]] Imported parse_labels(const Bytes& file, const ImportOptions& options);

/// As pith select --labelled reads it: `index,label`, or `id,label` where some are known by id only.
[[nodiscard]] std::string labelled_csv(const std::vector<LabelledItem>& labelled);
/// The items alone, one a line.
[[nodiscard]] std::string labelled_txt(const std::vector<LabelledItem>& labelled);

}  // namespace pith

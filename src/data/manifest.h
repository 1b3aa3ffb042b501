#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith {

/// One id (a name or a path) per item, in the order of the items: unique, not empty, UTF-8 without control
/// characters. By extension: .csv and .tsv take the column named id, path, file, filename, image or name,
/// else the first, and skip a first row that has such a name; .jsonl and .ndjson take strings, whole numbers,
/// or objects with such a key; anything else is text, one id a line. A pattern (part-*.txt) stands for the
/// ids of shards, in natural order.
[[nodiscard]] std::vector<std::string> read_ids(const std::string& path, std::size_t expected_rows);

/// The same, of a file already in memory; its name's extension tells the format.
[[nodiscard]] std::vector<std::string> parse_ids(const Bytes& file, std::size_t expected_rows);

/// That names from elsewhere than a file are as read_ids() would have them.
void require_ids(std::span<const std::string> ids);

/// The memory they take.
[[nodiscard]] std::uint64_t bytes_held_by(std::span<const std::string> ids);

/// One name a class, in the order of the probabilities' columns: read as ids are, and unique as these are.
/// `classes`: how many there must be, where known.
[[nodiscard]] std::vector<std::string> read_class_names(const std::string& path,
                                                        std::optional<std::size_t> classes);

/// Items named by a file, in its order and without repeats, each with its class where the file tells it.
struct ItemList {
  std::vector<Item> items;
  std::vector<std::optional<std::uint32_t>> labels;  ///< as many as items
};

/// Items of n, listed by index (from 0) or, where `ids` has one per item, by id. By extension: .npy is a 1-D
/// array of indices; .csv and .tsv have the item first and optionally its label, a class number, second, or
/// columns named index or id, and label; anything else is text, one item a line. Where ids are given, text is
/// looked up as an id first, and as an index only if no id looks like a number. An empty file is an empty
/// list.
[[nodiscard]] ItemList read_item_list(const std::string& path, std::size_t n,
                                      std::span<const std::string> ids);

/// The same, of a file already in memory; its name's extension tells the format.
[[nodiscard]] ItemList parse_item_list(const Bytes& file, std::size_t n, std::span<const std::string> ids);

}  // namespace pith

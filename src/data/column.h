#pragma once

#include <string>
#include <vector>

#include "data/bytes.h"

namespace pith {

/// The least a number of a column may be.
enum class ColumnRange { not_negative, positive };

/// One number an item, from `path` or `path:column`. A .npy array of n or n x 1 numbers, or a .csv or .tsv
/// whose column is named by its header; without a name it must have one column. Numbers are finite and within
/// the range; errors name file, line or entry, value and remedy.
[[nodiscard]] std::vector<double> read_column(const std::string& path, std::size_t items, ColumnRange range);

/// The same, of a file already in memory; its name's extension tells the format.
[[nodiscard]] std::vector<double> parse_column(const Bytes& file, const std::string& column,
                                               std::size_t items, ColumnRange range);

/// `path` split into file and column, as read_column() does.
[[nodiscard]] std::pair<std::string, std::string> split_column(const std::string& path);

}  // namespace pith

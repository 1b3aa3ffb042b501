#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "data/row_range.h"
#include "pith/matrix.h"
#include "pith/run.h"

namespace pith {

/// Calls body(first, count, worker) for tiles of consecutive rows that together cover the matrix once, in
/// parallel, and reports progress under `stage`. If bodies throw Error{bad_input}, the one of the lowest tile
/// is rethrown, so that the complaint is the same for any number of threads.
void for_each_tile(const MatrixView& view, const Run& run, std::string_view stage,
                   const std::function<void(std::size_t first, std::size_t count, unsigned worker)>& body);

/// The same for some of the rows.
void for_each_tile(const MatrixView& view, const RowRange& rows, const Run& run, std::string_view stage,
                   const std::function<void(std::size_t first, std::size_t count, unsigned worker)>& body);

/// Most rows a tile of this matrix has.
[[nodiscard]] std::size_t tile_rows(const MatrixView& view) noexcept;

}  // namespace pith

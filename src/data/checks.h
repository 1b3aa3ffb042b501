#pragma once

#include <cstddef>
#include <optional>

#include "data/row_range.h"
#include "pith/matrix.h"
#include "pith/run.h"

namespace pith {

struct EmbeddingStats {
  std::size_t zero_vectors = 0;
  std::optional<std::size_t> first_zero_vector;  ///< lowest row that is all zeros
  /// Rows that equal, number by number as floats, a row above them; only counted where asked for.
  std::optional<std::size_t> duplicates;
};

enum class CountDuplicates : bool { no, yes };

/// Reads every row once. Throws Error{bad_input} for the first number, by row and then by column, that is
/// NaN, infinite or beyond float range, and for a row whose numbers all vanish when rounded to float though
/// they are not all zero. Counting duplicates takes 16 bytes a row, and takes rows with the same XXH3-128 to
/// be equal.
[[nodiscard]] EmbeddingStats check_embeddings(const Matrix& embeddings, const Run& run,
                                              CountDuplicates count = CountDuplicates::no);
/// The same of some of the rows, without counting duplicates.
[[nodiscard]] EmbeddingStats check_embeddings(const Matrix& embeddings, const RowRange& rows, const Run& run);

}  // namespace pith

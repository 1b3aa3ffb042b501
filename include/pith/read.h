#pragma once

#include <string>

#include "pith/matrix.h"

namespace pith {

struct ReadOptions {
  /// Which array of an .npz or .safetensors file; empty: the only one, or the only 2-D floating one.
  std::string array;
};

/// Opens a matrix of numbers, in the format its extension (or, failing that, its first bytes) tells. `path`
/// may carry the array's name itself: `file.npz:embeddings`. It may also be a pattern, `part-*.npy`: the
/// files it matches are shards of one matrix, one after the other in natural order (part-2 before part-10),
/// of the same columns and scalar type, and stay where they are. Files are memory-mapped and viewed without a
/// copy wherever their layout allows; they must not shrink while the matrix lives. Shapes and sizes are
/// checked here, values are not.
[[nodiscard]] Matrix read_matrix(const std::string& path, const ReadOptions& options = {});

}  // namespace pith

#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "pith/matrix.h"
#include "pith/run.h"

namespace pith {

// What fingerprint_of() is made of, for those who share the work: the hash of the hashes of pieces of a fixed
// size, in order.

using PieceHash = std::array<unsigned char, 16>;

[[nodiscard]] std::size_t fingerprint_pieces(const MatrixView& view) noexcept;
/// Of pieces first .. last-1.
[[nodiscard]] std::vector<PieceHash> hash_pieces(const MatrixView& view, std::size_t first, std::size_t last,
                                                 const Run& run);
[[nodiscard]] std::string fingerprint_from(const MatrixView& view, std::span<const PieceHash> pieces);

}  // namespace pith

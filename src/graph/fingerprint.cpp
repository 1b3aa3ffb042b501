#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "base/gather.h"
#include "base/parallel.h"
#include "graph/fingerprint_pieces.h"
#include "pith/graph.h"

namespace pith {
namespace {

std::size_t row_bytes_of(const MatrixView& view) noexcept {
  return view.cols * bytes_of(view.scalar);
}

std::size_t piece_rows_of(const MatrixView& view) noexcept {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  return std::max<std::size_t>(1, piece_bytes / std::max<std::size_t>(1, row_bytes_of(view)));
}

}  // namespace

std::size_t fingerprint_pieces(const MatrixView& view) noexcept {
  const std::size_t rows = piece_rows_of(view);
  return (view.rows + rows - 1) / rows;
}

std::vector<PieceHash> hash_pieces(const MatrixView& view, std::size_t first, std::size_t last,
                                   const Run& run) {
  const std::size_t piece_rows = piece_rows_of(view);
  const std::size_t row_bytes = row_bytes_of(view);
  std::vector<PieceHash> hashes(last - first);
  parallel_for(run, hashes.size(), 1, [&](std::size_t piece, std::size_t, unsigned) {
    const std::size_t begin = (first + piece) * piece_rows;
    const std::size_t rows = std::min(piece_rows, view.rows - begin);
    std::vector<std::byte> copy;
    const std::byte* bytes = rows_as_they_lie(view, begin, rows);
    if (bytes == nullptr) {
      copy.resize(rows * row_bytes);
      gather_elements(view, begin, rows, copy.data());
      bytes = copy.data();
    }
    XXH128_canonical_t hash;
    XXH128_canonicalFromHash(&hash, XXH3_128bits(bytes, rows * row_bytes));
    static_assert(sizeof hash == sizeof(PieceHash));
    std::memcpy(hashes[piece].data(), &hash, sizeof hash);
  });
  return hashes;
}

std::string fingerprint_from(const MatrixView& view, std::span<const PieceHash> pieces) {
  std::string whole = fmt::format("{} {} {}\n", name_of(view.scalar), view.rows, view.cols);
  whole.append(reinterpret_cast<const char*>(pieces.data()), pieces.size_bytes());
  const XXH128_hash_t hash = XXH3_128bits(whole.data(), whole.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// The same for any number of threads, and for any layout, byte order and cutting into pieces of the same
// elements.
std::string fingerprint_of(const MatrixView& view, const Run& run) {
  return fingerprint_from(view, hash_pieces(view, 0, fingerprint_pieces(view), run));
}

}  // namespace pith

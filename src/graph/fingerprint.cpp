#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

#include "base/gather.h"
#include "base/parallel.h"
#include "pith/graph.h"

namespace pith {
// The hash of the hashes of pieces of a fixed size, in order: the same for any number of threads, and for any
// layout, byte order and cutting into pieces of the same elements.
std::string fingerprint_of(const MatrixView& view, const Run& run) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  const std::size_t row_bytes = view.cols * bytes_of(view.scalar);
  const std::size_t piece_rows = std::max<std::size_t>(1, piece_bytes / std::max<std::size_t>(1, row_bytes));
  const std::size_t pieces = (view.rows + piece_rows - 1) / piece_rows;

  std::vector<XXH128_canonical_t> hashes(pieces);
  parallel_for(run, view.rows, piece_rows, [&](std::size_t begin, std::size_t end, unsigned) {
    std::vector<std::byte> copy;
    const std::byte* bytes = rows_as_they_lie(view, begin, end - begin);
    if (bytes == nullptr) {
      copy.resize((end - begin) * row_bytes);
      gather_elements(view, begin, end - begin, copy.data());
      bytes = copy.data();
    }
    XXH128_canonicalFromHash(&hashes[begin / piece_rows], XXH3_128bits(bytes, (end - begin) * row_bytes));
  });

  std::string whole = fmt::format("{} {} {}\n", name_of(view.scalar), view.rows, view.cols);
  whole.append(reinterpret_cast<const char*>(hashes.data()), hashes.size() * sizeof(XXH128_canonical_t));
  const XXH128_hash_t hash = XXH3_128bits(whole.data(), whole.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace pith

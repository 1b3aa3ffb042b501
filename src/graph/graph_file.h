#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pith {

// A saved graph is one little-endian file: this header, then the sections, each starting at a multiple of 64
// bytes with zeros before it: offsets (items + 1 of u64), neighbours (entries of u32), dissimilarities
// (entries of f32) and, where has_lists says so, lists (items * neighbors of u32). Every byte stands under
// one of the two checksums. Version 1, which is still read, has neither recall_interval nor lists: their
// bytes were room.
static_assert(std::endian::native == std::endian::little, "saved graphs are mapped as they are");

struct GraphFileHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::uint64_t items;
  std::uint64_t entries;  ///< twice the number of edges
  std::uint64_t dimension;
  std::uint32_t neighbors;
  std::uint8_t metric;
  std::uint8_t symmetry;
  std::uint8_t has_recall;
  std::uint8_t unused;
  double recall;
  std::array<char, 32> method;       ///< zero-terminated
  std::array<char, 64> fingerprint;  ///< zero-terminated
  std::array<double, 2> recall_interval;
  std::uint8_t has_recall_interval;
  std::uint8_t has_lists;
  std::array<char, 70> room;       ///< zeros, for later versions
  std::uint64_t payload_checksum;  ///< XXH3 of everything after the header
  std::uint64_t header_checksum;   ///< XXH3 of the header before this field
};
static_assert(sizeof(GraphFileHeader) == 256);

inline constexpr std::array<char, 8> graph_file_magic = {'P', 'I', 'T', 'H', 'G', 'R', 'P', 'H'};
inline constexpr std::uint32_t graph_file_version = 2;
inline constexpr std::uint32_t oldest_graph_file_version = 1;

/// Where the sections lie, by the counts alone.
struct GraphFileLayout {
  std::uint64_t offsets_at;
  std::uint64_t neighbors_at;
  std::uint64_t dissimilarities_at;
  std::uint64_t lists_at;  ///< where the lists would start, whether there are any or not
  std::uint64_t file_bytes;

  /// Counts must be below 2^58, so that nothing wraps.
  static constexpr GraphFileLayout of(std::uint64_t items, std::uint64_t entries,
                                      std::uint64_t listed = 0) noexcept {
    const auto align = [](std::uint64_t at) { return (at + 63) / 64 * 64; };
    GraphFileLayout layout{};
    layout.offsets_at = sizeof(GraphFileHeader);
    layout.neighbors_at = align(layout.offsets_at + 8 * (items + 1));
    layout.dissimilarities_at = align(layout.neighbors_at + 4 * entries);
    const std::uint64_t end = layout.dissimilarities_at + 4 * entries;
    layout.lists_at = align(end);
    layout.file_bytes = listed == 0 ? end : layout.lists_at + 4 * listed;
    return layout;
  }
};

}  // namespace pith

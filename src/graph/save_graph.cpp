#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "base/output_file.h"
#include "data/refuse.h"
#include "graph/graph_file.h"
#include "pith/graph.h"

namespace pith {
namespace {

template <class T>
std::string_view bytes_of_span(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <std::size_t size>
void put(std::array<char, size>& field, const std::string& text, const std::string& path) {
  if (text.size() >= size)
    refuse_unsupported(path, "cannot save a graph whose method or fingerprint has {} characters",
                       text.size());
  std::memcpy(field.data(), text.data(), text.size());
}

/// The sections with the zeros before each, in order.
std::vector<std::string_view> payload_of(const Graph& graph, const GraphFileLayout& layout,
                                         std::span<const std::uint64_t> offsets) {
  static constexpr std::array<char, 64> zeros{};
  const std::string_view sections[] = {bytes_of_span(offsets), bytes_of_span(graph.all_neighbors()),
                                       bytes_of_span(graph.all_dissimilarities()),
                                       bytes_of_span(graph.lists())};
  const std::uint64_t starts[] = {layout.offsets_at, layout.neighbors_at, layout.dissimilarities_at,
                                  layout.lists_at};
  const std::size_t count = graph.lists().empty() ? 3 : 4;
  std::vector<std::string_view> pieces;
  std::uint64_t at = sizeof(GraphFileHeader);
  for (std::size_t s = 0; s < count; ++s) {
    pieces.emplace_back(zeros.data(), starts[s] - at);
    pieces.push_back(sections[s]);
    at = starts[s] + sections[s].size();
  }
  return pieces;
}

std::uint64_t checksum_of(const std::vector<std::string_view>& pieces) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  if (state == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (const auto piece : pieces) XXH3_64bits_update(state.get(), piece.data(), piece.size());
  return XXH3_64bits_digest(state.get());
}

}  // namespace

void save_graph(const Graph& graph, const std::string& path) {
  static constexpr std::uint64_t no_rows[] = {0};
  const auto offsets = graph.size() == 0 ? std::span<const std::uint64_t>(no_rows) : graph.offsets();
  const auto layout = GraphFileLayout::of(graph.size(), graph.all_neighbors().size(), graph.lists().size());
  const auto pieces = payload_of(graph, layout, offsets);

  const GraphInfo& info = graph.info();
  GraphFileHeader header{};
  header.magic = graph_file_magic;
  header.version = graph_file_version;
  header.header_bytes = sizeof header;
  header.items = graph.size();
  header.entries = graph.all_neighbors().size();
  header.dimension = info.dimension;
  header.neighbors = info.neighbors;
  header.metric = static_cast<std::uint8_t>(info.metric);
  header.symmetry = static_cast<std::uint8_t>(info.symmetry);
  header.has_recall = static_cast<std::uint8_t>(info.recall.has_value());
  header.recall = info.recall.value_or(0);
  header.has_recall_interval = static_cast<std::uint8_t>(info.recall_interval.has_value());
  if (info.recall_interval)
    header.recall_interval = {info.recall_interval->first, info.recall_interval->second};
  header.has_lists = static_cast<std::uint8_t>(!graph.lists().empty());
  put(header.method, info.method, path);
  put(header.fingerprint, info.fingerprint, path);
  header.payload_checksum = checksum_of(pieces);
  header.header_checksum = XXH3_64bits(&header, offsetof(GraphFileHeader, header_checksum));

  OutputFile file(path);
  file.write({reinterpret_cast<const char*>(&header), sizeof header});
  for (const auto piece : pieces) file.write(piece);
  file.put_in_place();
}

}  // namespace pith

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "base/parallel.h"
#include "data/mapped_file.h"
#include "data/refuse.h"
#include "graph/graph_file.h"
#include "pith/graph.h"

namespace pith {
namespace {

constexpr const char* remedy = "rebuild it with pith graph";

GraphFileHeader read_header(std::span<const std::byte> bytes, const std::string& path) {
  GraphFileHeader header{};
  if (bytes.size() < sizeof header.magic ||
      std::memcmp(bytes.data(), graph_file_magic.data(), sizeof header.magic) != 0)
    refuse_input(path, "not a graph of pith; {}", remedy);
  if (bytes.size() < sizeof header)
    refuse_input(path, "the graph is cut short within its header, at {} bytes; {}", bytes.size(), remedy);
  std::memcpy(&header, bytes.data(), sizeof header);
  // The version first: a later one may put its checksum elsewhere.
  if (header.version < oldest_graph_file_version || header.version > graph_file_version)
    refuse_unsupported(path, "a graph file of version {}; this pith reads version {} to version {}; {}",
                       header.version, oldest_graph_file_version, graph_file_version, remedy);
  if (header.header_checksum != XXH3_64bits(&header, offsetof(GraphFileHeader, header_checksum)))
    refuse_input(path, "the graph's header is damaged (its checksum differs); {}", remedy);
  if (header.version == 1) {
    header.recall_interval = {};
    header.has_recall_interval = 0;
    header.has_lists = 0;
  }
  return header;
}

template <std::size_t size>
std::string text_of(const std::array<char, size>& field, const std::string& path) {
  const auto end = std::find(field.begin(), field.end(), '\0');
  if (end == field.end()) refuse_input(path, "the graph's header holds a text without end; {}", remedy);
  return {field.begin(), end};
}

GraphInfo info_of(const GraphFileHeader& header, const std::string& path) {
  const bool known =
      header.header_bytes == sizeof header && header.metric <= static_cast<std::uint8_t>(Metric::l1) &&
      header.symmetry <= static_cast<std::uint8_t>(Symmetry::mutual) && header.has_recall <= 1 &&
      header.recall >= 0 && header.recall <= 1 && header.has_recall_interval <= header.has_recall &&
      0 <= header.recall_interval[0] && header.recall_interval[0] <= header.recall_interval[1] &&
      header.recall_interval[1] <= 1 && header.has_lists <= header.symmetry;
  if (!known) refuse_input(path, "the graph's header holds a value without meaning; {}", remedy);
  GraphInfo info{.neighbors = header.neighbors,
                 .metric = static_cast<Metric>(header.metric),
                 .symmetry = static_cast<Symmetry>(header.symmetry),
                 .method = text_of(header.method, path),
                 .recall = {},
                 .recall_interval = {},
                 .dimension = header.dimension,
                 .fingerprint = text_of(header.fingerprint, path),
                 .reason = {}};
  if (header.has_recall != 0) info.recall = header.recall;
  if (header.has_recall_interval != 0)
    info.recall_interval = {header.recall_interval[0], header.recall_interval[1]};
  return info;
}

struct Rows {
  std::span<const std::uint64_t> offsets;
  std::span<const Item> neighbors;
  std::span<const float> dissimilarities;

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }

  /// What is wrong with a row, or nullptr. Offsets have been checked.
  [[nodiscard]] const char* fault_of(std::size_t item) const noexcept {
    for (std::uint64_t at = offsets[item]; at < offsets[item + 1]; ++at) {
      const Item other = neighbors[at];
      if (other >= size()) return "names an item that does not exist";
      if (other == item) return "names its own item";
      if (at > offsets[item] && neighbors[at - 1] >= other) return "does not ascend";
      if (!(dissimilarities[at] >= 0) || !std::isfinite(dissimilarities[at]))
        return "holds an impossible distance";
    }
    return nullptr;
  }
  /// Every edge of the item stands in the other row as well, with the same dissimilarity. Rows have been
  /// checked.
  [[nodiscard]] bool is_returned(std::size_t item) const noexcept {
    for (std::uint64_t at = offsets[item]; at < offsets[item + 1]; ++at) {
      const Item other = neighbors[at];
      const auto row = neighbors.subspan(offsets[other], offsets[other + 1] - offsets[other]);
      const auto twin = std::lower_bound(row.begin(), row.end(), item);
      if (twin == row.end() || *twin != item) return false;
      const auto place = offsets[other] + static_cast<std::uint64_t>(twin - row.begin());
      if (std::bit_cast<std::uint32_t>(dissimilarities[place]) !=
          std::bit_cast<std::uint32_t>(dissimilarities[at]))
        return false;
    }
    return true;
  }
};

/// The lists a mutual graph keeps beside its rows.
struct Lists {
  const Rows& rows;
  std::span<const Item> items;
  std::uint32_t each;

  [[nodiscard]] std::span<const Item> of(std::size_t item) const noexcept {
    return items.subspan(item * each, each);
  }
  [[nodiscard]] bool holds(std::size_t item, std::size_t other) const noexcept {
    const auto list = of(item);
    return std::find(list.begin(), list.end(), other) != list.end();
  }
  /// What is wrong with the list of an item, or nullptr.
  [[nodiscard]] const char* fault_of(std::size_t item) const noexcept {
    const auto list = of(item);
    for (auto at = list.begin(); at != list.end(); ++at) {
      if (*at >= rows.size()) return "lists an item that does not exist";
      if (*at == item) return "lists its own item";
      if (std::find(list.begin(), at, *at) != at) return "lists an item twice";
    }
    return nullptr;
  }
  /// The row of the item is who lists it back. Lists and rows have been checked.
  [[nodiscard]] bool agrees(std::size_t item) const noexcept {
    std::size_t returned = 0;
    for (const Item other : of(item)) returned += static_cast<std::size_t>(holds(other, item));
    if (returned != rows.offsets[item + 1] - rows.offsets[item]) return false;
    for (std::uint64_t at = rows.offsets[item]; at < rows.offsets[item + 1]; ++at)
      if (!holds(item, rows.neighbors[at]) || !holds(rows.neighbors[at], item)) return false;
    return true;
  }
};

constexpr std::size_t chunk = 1024;

void check_lists(const Lists& lists, const std::string& path, const Run& run) {
  const auto refuse_list = [&](std::size_t item, const char* fault) {
    refuse_input(path, "item {} of the graph {}; {}", item, fault, remedy);
  };
  parallel_for(run, lists.rows.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t item = begin; item < end; ++item)
      if (const char* fault = lists.fault_of(item); fault != nullptr) refuse_list(item, fault);
  });
  parallel_for(run, lists.rows.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t item = begin; item < end; ++item)
      if (!lists.agrees(item)) refuse_list(item, "lists others than its edges say");
  });
}

void check_rows(const Rows& rows, const std::string& path, const Run& run) {
  if (rows.offsets.front() != 0 || rows.offsets.back() != rows.neighbors.size() ||
      !std::is_sorted(rows.offsets.begin(), rows.offsets.end()))
    refuse_input(path, "the graph's rows do not add up; {}", remedy);
  const auto refuse_row = [&](std::size_t item, const char* fault) {
    refuse_input(path, "row {} of the graph {}; {}", item, fault, remedy);
  };
  parallel_for(run, rows.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t item = begin; item < end; ++item)
      if (const char* fault = rows.fault_of(item); fault != nullptr) refuse_row(item, fault);
  });
  parallel_for(run, rows.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t item = begin; item < end; ++item)
      if (!rows.is_returned(item)) refuse_row(item, "has an edge that its other end does not return");
  });
}

template <class T>
std::span<const T> section(std::span<const std::byte> bytes, std::uint64_t at, std::uint64_t count) {
  return {reinterpret_cast<const T*>(bytes.data() + at), count};
}

}  // namespace

Graph load_graph(const std::string& path, const Run& run) {
  auto file = std::make_shared<const MappedFile>(path);
  const auto bytes = file->bytes();
  const GraphFileHeader header = read_header(bytes, path);
  GraphInfo info = info_of(header, path);
  constexpr std::uint64_t most_entries = std::uint64_t{1} << 58;
  if (header.items >= std::numeric_limits<Item>::max() || header.entries >= most_entries ||
      header.entries % 2 != 0)
    refuse_input(path, "the graph's header gives {} items and {} entries, which no graph has; {}",
                 header.items, header.entries, remedy);
  // Both factors are below 2^32.
  const std::uint64_t listed = header.has_lists != 0 ? header.items * header.neighbors : 0;
  if (header.has_lists != 0 && (listed == 0 || header.neighbors >= header.items || listed >= most_entries))
    refuse_input(path, "the graph's header gives lists of {} for {} items, which no graph has; {}",
                 header.neighbors, header.items, remedy);
  const auto layout = GraphFileLayout::of(header.items, header.entries, listed);
  if (layout.file_bytes != bytes.size())
    refuse_input(path, "the graph should be {} bytes long but is {}; {}", layout.file_bytes, bytes.size(),
                 remedy);
  if (header.payload_checksum != XXH3_64bits(bytes.data() + sizeof header, bytes.size() - sizeof header))
    refuse_input(path, "the graph is damaged (its checksum differs); {}", remedy);

  const Rows rows{.offsets = section<std::uint64_t>(bytes, layout.offsets_at, header.items + 1),
                  .neighbors = section<Item>(bytes, layout.neighbors_at, header.entries),
                  .dissimilarities = section<float>(bytes, layout.dissimilarities_at, header.entries)};
  check_rows(rows, path, run);
  const auto lists = listed == 0 ? std::span<const Item>{} : section<Item>(bytes, layout.lists_at, listed);
  if (!lists.empty()) check_lists({rows, lists, header.neighbors}, path, run);
  return {std::move(info), rows.offsets, rows.neighbors, rows.dissimilarities, std::move(file), lists};
}

void require_same_embeddings(const Graph& graph, const Matrix& embeddings, const std::string& fingerprint,
                             const std::string& path) {
  const auto refuse_other = [&](const std::string& difference) {
    refuse_input(path, "the graph was built from other embeddings than {} ({}); {}", embeddings.source,
                 difference, remedy);
  };
  if (graph.size() != embeddings.rows())
    refuse_other(fmt::format("{} items there, {} rows here", graph.size(), embeddings.rows()));
  if (graph.info().dimension != embeddings.cols())
    refuse_other(fmt::format("{} columns there, {} here", graph.info().dimension, embeddings.cols()));
  if (graph.info().fingerprint != fingerprint)
    refuse_other(fmt::format("fingerprint {} there, {} here", graph.info().fingerprint, fingerprint));
}

void require_same_embeddings(const Graph& graph, const Matrix& embeddings, const std::string& path,
                             const Run& run) {
  require_same_embeddings(graph, embeddings, fingerprint_of(embeddings.view, run), path);
}

}  // namespace pith

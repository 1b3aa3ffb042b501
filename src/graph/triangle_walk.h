#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/triangles.h"

namespace pith {

/// The part of each row above its own item, packed: neighbours and dissimilarities side by side, so that a
/// row met out of order costs one or two cache lines. Memory: 8 (n + 1) + 8 * edges bytes.
struct UpperRows {
  struct Edge {
    Item item;
    float dissimilarity;
  };
  std::vector<std::uint64_t> offsets;
  std::unique_ptr<Edge[]> edges;
  double work = 0;  ///< sum of squared row sizes, what a walk over all triangles costs

  UpperRows(const Graph& graph, const Run& run);

  [[nodiscard]] std::span<const Edge> row(Item item) const noexcept {
    return {edges.get() + offsets[item], edges.get() + offsets[item + 1]};
  }
};

/// The triangles whose lowest item is one given item, with their areas. One per thread.
class TriangleFan {
 public:
  TriangleFan(const Graph& graph, const UpperRows& upper)
      : graph_(graph), upper_(upper), place_of_(slots, no_place) {}

  /// Finds the triangles of `item`; `next` and `later` are asked of memory ahead of their turn.
  void open(Item item, Item next, Item later);

  /// Triangle t has corners item, corner(second[t]), corner(third[t]), in ascending order.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Item corner(std::uint32_t place) const noexcept { return row_[place].item; }
  [[nodiscard]] std::size_t corners() const noexcept { return row_.size(); }
  [[nodiscard]] const std::uint32_t* second() const noexcept { return second_.data(); }
  [[nodiscard]] const std::uint32_t* third() const noexcept { return third_.data(); }
  [[nodiscard]] const double* areas() const noexcept { return areas_.data(); }

 private:
  void ask_for(Item next, Item later) const noexcept;
  void match(std::uint32_t place, std::span<const UpperRows::Edge> other);
  void reserve(std::size_t more);

  static constexpr std::size_t slots = 4096;
  static constexpr std::uint32_t no_place = 0xffffffff;
  static std::size_t slot_of(Item item) noexcept { return item % slots; }

  const Graph& graph_;
  const UpperRows& upper_;
  std::span<const UpperRows::Edge> row_;
  /// A place in row_ for each slot that has one: rules out nearly every item that is not in the row by one
  /// look.
  std::vector<std::uint32_t> place_of_;
  std::vector<std::uint32_t> likely_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> second_;
  std::vector<std::uint32_t> third_;
  std::vector<float> opposite_;  ///< dissimilarity of the side between second and third
  std::vector<double> lengths_;  ///< of the edges from the item to its corners
  std::vector<double> areas_;
};

}  // namespace pith

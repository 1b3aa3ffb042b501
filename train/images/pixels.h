#pragma once

#include <cstdint>
#include <vector>

namespace pith::train {

/// A decoded image: rows top to bottom, red, green and blue innermost, 8 bits each.
struct Pixels {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<std::uint8_t> values;
};

/// A rectangle in pixels; edges may lie inside a pixel.
struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

/// The part of the image in `box` as side x side pixels. A triangle filter as wide as one pixel of the result
/// or of the image, whichever is larger: smooth enlargements, and no moiré in reductions.
[[nodiscard]] std::vector<std::uint8_t> resize(const Pixels& image, const Box& box, std::uint32_t side);

/// The square in the middle whose edge is this share of the shorter edge.
[[nodiscard]] Box middle_square(std::uint32_t width, std::uint32_t height, double share);

/// A rectangle of a random share (8% to 100%) of the area and a random shape (3:4 to 4:3), somewhere; the
/// middle square where ten tries find none.
[[nodiscard]] Box random_box(std::uint32_t width, std::uint32_t height, std::uint64_t key);

}  // namespace pith::train

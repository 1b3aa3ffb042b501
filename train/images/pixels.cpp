#include "images/pixels.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace pith::train {
namespace {

/// Which pixels along one edge make up one pixel of the result, and how much of each.
struct Taps {
  std::size_t first = 0;
  std::vector<float> weights;  ///< they sum to 1
};

std::vector<Taps> make_taps(double begin, double length, std::uint32_t size, std::uint32_t side) {
  const double scale = length / side;
  const double radius = std::max(scale, 1.0);
  std::vector<Taps> all(side);
  for (std::uint32_t out = 0; out < side; ++out) {
    const double centre = begin + (out + 0.5) * scale;
    const auto first = std::clamp<std::int64_t>(std::llround(std::floor(centre - radius)), 0, size - 1);
    const auto last = std::clamp<std::int64_t>(std::llround(std::ceil(centre + radius)), first, size - 1);
    Taps& taps = all[out];
    taps.first = static_cast<std::size_t>(first);
    double sum = 0;
    for (std::int64_t at = first; at <= last; ++at) {
      const double weight = std::max(0.0, 1 - std::abs(static_cast<double>(at) + 0.5 - centre) / radius);
      taps.weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    if (sum <= 0) {
      taps.weights.assign(1, 1.0F);
      continue;
    }
    for (float& weight : taps.weights) weight = static_cast<float>(weight / sum);
  }
  return all;
}

}  // namespace

std::vector<std::uint8_t> resize(const Pixels& image, const Box& box, std::uint32_t side) {
  constexpr std::size_t channels = 3;
  const std::vector<Taps> across = make_taps(box.left, box.width, image.width, side);
  const std::vector<Taps> down = make_taps(box.top, box.height, image.height, side);
  const std::size_t first_row = down.front().first;
  const std::size_t rows = down.back().first + down.back().weights.size() - first_row;

  // Along the rows first: only those that the columns will ask for.
  std::vector<float> narrow(rows * side * channels);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint8_t* from = image.values.data() + (first_row + row) * image.width * channels;
    float* to = narrow.data() + row * side * channels;
    for (std::size_t x = 0; x < side; ++x)
      for (std::size_t tap = 0; tap < across[x].weights.size(); ++tap)
        for (std::size_t c = 0; c < channels; ++c)
          to[x * channels + c] += across[x].weights[tap] * from[(across[x].first + tap) * channels + c];
  }
  std::vector<std::uint8_t> out(std::size_t{side} * side * channels);
  std::vector<float> line(std::size_t{side} * channels);
  for (std::size_t y = 0; y < side; ++y) {
    std::fill(line.begin(), line.end(), 0.0F);
    for (std::size_t tap = 0; tap < down[y].weights.size(); ++tap) {
      const float* from = narrow.data() + (down[y].first + tap - first_row) * line.size();
      for (std::size_t at = 0; at < line.size(); ++at) line[at] += down[y].weights[tap] * from[at];
    }
    for (std::size_t at = 0; at < line.size(); ++at)
      out[y * line.size() + at] = static_cast<std::uint8_t>(std::clamp(line[at] + 0.5F, 0.0F, 255.0F));
  }
  return out;
}

Box middle_square(std::uint32_t width, std::uint32_t height, double share) {
  const double side = share * std::min(width, height);
  return {.left = (width - side) / 2, .top = (height - side) / 2, .width = side, .height = side};
}

Box random_box(std::uint32_t width, std::uint32_t height, std::uint64_t key) {
  Rng rng(key);
  const double area = static_cast<double>(width) * height;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double share = 0.08 + 0.92 * rng.unit();
    const double shape = std::exp(std::log(3.0 / 4) + (std::log(4.0 / 3) - std::log(3.0 / 4)) * rng.unit());
    const double box_width = std::sqrt(area * share * shape);
    const double box_height = std::sqrt(area * share / shape);
    if (box_width > width || box_height > height) continue;
    return {.left = (width - box_width) * rng.unit(),
            .top = (height - box_height) * rng.unit(),
            .width = box_width,
            .height = box_height};
  }
  return middle_square(width, height, 1);
}

}  // namespace pith::train

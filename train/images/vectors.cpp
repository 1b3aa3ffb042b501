#include "images/vectors.h"

#include <cmath>

namespace pith::train {

void Vectors::read(std::size_t index, Augmentation /*augmentation*/, std::uint64_t /*key*/,
                   const Normaliser& normaliser, float* out) const {
  matrix_.view.read_rows(index, 1, out);
  for (std::size_t at = 0; at < matrix_.cols(); ++at) out[at] = normaliser.of_number(out[at]);
}

Normalisation Vectors::measure(const std::vector<Item>& indices) const {
  std::vector<double> row(matrix_.cols());
  double sum = 0;
  double squares = 0;
  for (const Item index : indices) {
    matrix_.view.read_rows(index, 1, row.data());
    for (const double value : row) {
      sum += value;
      squares += value * value;
    }
  }
  const auto count = static_cast<double>(indices.size() * matrix_.cols());
  if (count == 0) return {};
  const double mean = sum / count;
  const double variance = squares / count - mean * mean;
  const bool varies = variance > 1e-12 * (1 + mean * mean);
  return {.mean = {static_cast<float>(mean)},
          .deviation = {varies ? static_cast<float>(std::sqrt(variance)) : 1.0F}};
}

}  // namespace pith::train

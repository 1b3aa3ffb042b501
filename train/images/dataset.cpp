#include "images/dataset.h"

#include <numeric>
#include <utility>

namespace pith::train {

Normaliser::Normaliser(const Normalisation& normalisation, std::uint32_t channels)
    : mean_(normalisation.mean.front()), deviation_(normalisation.deviation.front()) {
  // Images have few channels; of a vector's numbers only of_number() is asked.
  constexpr std::uint32_t most_image_channels = 4;
  if (channels > most_image_channels) return;
  table_.resize(std::size_t{channels} << 8);
  for (std::uint32_t c = 0; c < channels; ++c) {
    const float mean = normalisation.mean[normalisation.mean.size() == 1 ? 0 : c];
    const float deviation = normalisation.deviation[normalisation.deviation.size() == 1 ? 0 : c];
    for (std::size_t value = 0; value < 256; ++value)
      table_[(std::size_t{c} << 8) + value] = (static_cast<float>(value) / 255 - mean) / deviation;
  }
}

Part Part::subset(const std::vector<Item>& places) const {
  Part part{.source = source, .indices = {}, .labels = {}};
  part.indices.reserve(places.size());
  part.labels.reserve(places.size());
  for (const Item place : places) {
    part.indices.push_back(indices.at(place));
    part.labels.push_back(labels.at(place));
  }
  return part;
}

Part whole(std::shared_ptr<const ItemSource> source, std::vector<std::uint32_t> labels) {
  Part part{.source = std::move(source), .indices = {}, .labels = std::move(labels)};
  part.indices.resize(part.labels.size());
  std::iota(part.indices.begin(), part.indices.end(), Item{0});
  return part;
}

}  // namespace pith::train

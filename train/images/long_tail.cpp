#include "images/long_tail.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace pith::train {
namespace {

/// Streams of random numbers that never meet.
enum Stream : std::uint64_t { tail_stream = 1, holdout_stream = 2 };

/// The places of each class, in an order drawn by the seed.
std::vector<std::vector<Item>> shuffled_by_class(const std::vector<std::uint32_t>& labels,
                                                 std::uint32_t classes, std::uint64_t seed) {
  std::vector<std::vector<Item>> places(classes);
  for (std::size_t place = 0; place < labels.size(); ++place)
    places[labels[place]].push_back(static_cast<Item>(place));
  for (std::uint32_t label = 0; label < classes; ++label) {
    Rng rng(random_bits(seed, label));
    std::vector<Item>& own = places[label];
    for (std::size_t at = own.size(); at > 1; --at) std::swap(own[at - 1], own[rng.below(at)]);
  }
  return places;
}

}  // namespace

std::vector<std::size_t> long_tail_counts(const std::vector<std::size_t>& class_sizes, double ratio) {
  const auto largest = static_cast<double>(*std::max_element(class_sizes.begin(), class_sizes.end()));
  const double steps = std::max<double>(1, static_cast<double>(class_sizes.size()) - 1);
  std::vector<std::size_t> counts;
  for (std::size_t label = 0; label < class_sizes.size(); ++label) {
    // 1/ratio to a positive power, and not ratio to a negative one: the recipe's order of rounding.
    const double wanted = largest * std::pow(1 / ratio, static_cast<double>(label) / steps);
    counts.push_back(
        std::min(class_sizes[label], std::max<std::size_t>(1, static_cast<std::size_t>(wanted))));
  }
  return counts;
}

std::vector<Item> long_tail_places(const std::vector<std::uint32_t>& labels, std::uint32_t classes,
                                   double ratio, std::uint64_t seed) {
  const auto places = shuffled_by_class(labels, classes, random_bits(seed, tail_stream));
  std::vector<std::size_t> sizes;
  sizes.reserve(places.size());
  for (const auto& own : places) sizes.push_back(own.size());
  const std::vector<std::size_t> counts = long_tail_counts(sizes, ratio);
  std::vector<Item> kept;
  for (std::uint32_t label = 0; label < classes; ++label)
    kept.insert(kept.end(), places[label].begin(),
                places[label].begin() + static_cast<std::ptrdiff_t>(counts[label]));
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::pair<std::vector<Item>, std::vector<Item>> hold_out(const std::vector<std::uint32_t>& labels,
                                                         std::uint32_t classes, double share,
                                                         std::uint64_t seed) {
  std::vector<Item> kept;
  std::vector<Item> held;
  for (const auto& own : shuffled_by_class(labels, classes, random_bits(seed, holdout_stream))) {
    const auto cut = static_cast<std::ptrdiff_t>(std::llround(share * static_cast<double>(own.size())));
    held.insert(held.end(), own.begin(), own.begin() + cut);
    kept.insert(kept.end(), own.begin() + cut, own.end());
  }
  std::sort(kept.begin(), kept.end());
  std::sort(held.begin(), held.end());
  return {std::move(kept), std::move(held)};
}

}  // namespace pith::train

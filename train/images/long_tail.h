#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "images/dataset.h"

namespace pith::train {

/// Items kept of each class: n_max * ratio^(-c / (L-1)), truncated, at least 1 and at most what is there;
/// n_max is the size of the largest class. The usual recipe: CIFAR-100 at 100 keeps 10,847 of 50,000.
[[nodiscard]] std::vector<std::size_t> long_tail_counts(const std::vector<std::size_t>& class_sizes,
                                                        double ratio);

/// Places, ascending, of the items that a long-tailed version keeps, drawn within each class by the seed.
[[nodiscard]] std::vector<Item> long_tail_places(const std::vector<std::uint32_t>& labels,
                                                 std::uint32_t classes, double ratio, std::uint64_t seed);

/// Places to keep and places held out, each ascending: of every class this share, rounded, is held out.
[[nodiscard]] std::pair<std::vector<Item>, std::vector<Item>> hold_out(
    const std::vector<std::uint32_t>& labels, std::uint32_t classes, double share, std::uint64_t seed);

}  // namespace pith::train

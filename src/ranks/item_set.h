#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "pith/matrix.h"

namespace pith {

/// Some of n items, a bit each, that knows in constant time how many of them come before an item: 12 bytes
/// for every 64 items of all, so that looking millions of them up stays within a cache where searching a
/// sorted list does not.
class ItemSet {
 public:
  ItemSet() = default;
  explicit ItemSet(std::size_t items) : words_((items + word_bits - 1) / word_bits, 0) {}

  void insert(Item item) noexcept { words_[item / word_bits] |= bit(item); }
  /// After the last insert(), before anything below.
  void count_up() {
    before_.resize(words_.size());
    Item count = 0;
    for (std::size_t at = 0; at < words_.size(); ++at) {
      before_[at] = count;
      count += static_cast<Item>(std::popcount(words_[at]));
    }
    count_ = count;
  }

  [[nodiscard]] Item size() const noexcept { return count_; }
  /// How many items of the set are lower; none where `item` is not in it.
  [[nodiscard]] std::optional<Item> place_of(Item item) const noexcept {
    const std::uint64_t word = words_[item / word_bits];
    if ((word & bit(item)) == 0) return std::nullopt;
    return before_[item / word_bits] + static_cast<Item>(std::popcount(word & (bit(item) - 1)));
  }
  /// Ascending.
  [[nodiscard]] std::vector<Item> items() const {
    std::vector<Item> all;
    all.reserve(count_);
    for (std::size_t at = 0; at < words_.size(); ++at)
      for (std::uint64_t word = words_[at]; word != 0; word &= word - 1)
        all.push_back(static_cast<Item>(at * word_bits) + static_cast<Item>(std::countr_zero(word)));
    return all;
  }

 private:
  static constexpr std::size_t word_bits = 64;
  static std::uint64_t bit(Item item) noexcept { return std::uint64_t{1} << (item % word_bits); }

  std::vector<std::uint64_t> words_;
  std::vector<Item> before_;  ///< items of the set before each word
  Item count_ = 0;
};

}  // namespace pith

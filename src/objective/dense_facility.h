#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "pith/term.h"

namespace pith {

/// Facility location over all pairs: sum over all i of max over j in S of s(i,j), with s from the embeddings
/// by the canonical distance, as the graph would give it to an edge, and s(i,i) = 1.
///
/// Similarities are whole multiples of 2^-31 and kept as such, so every sum is of integers. Memory: 4 n^2
/// bytes, and 9 n a state. A gain takes n steps.
class DenseFacilityTerm final : public Term {
 public:
  /// `graph` tells the metric and the scale of similarities. Takes 4 n^2 bytes.
  DenseFacilityTerm(const Graph& graph, const MatrixView& rows, const Run& run);
  [[nodiscard]] std::string_view name() const override { return "facility-location"; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override;
  [[nodiscard]] double value(std::span<const Item> set) const override;
  /// With all others chosen each stands for itself.
  [[nodiscard]] double least_gain(Item item) const override;
  /// Every pair loses both its ends' similarity, edges among them.
  [[nodiscard]] double pair_loss_from_nothing() const override { return pair_loss_; }
  [[nodiscard]] Reach reach() const override { return Reach::everybody; }

  /// Of the table; the largest number there is where that says less.
  [[nodiscard]] static std::uint64_t bytes_of(std::size_t items) noexcept {
    std::uint64_t bytes = 0;
    const bool beyond = __builtin_mul_overflow(std::uint64_t{items}, 4 * std::uint64_t{items}, &bytes);
    return beyond ? std::numeric_limits<std::uint64_t>::max() : bytes;
  }

 private:
  std::size_t n_;
  std::unique_ptr<std::uint32_t[], void (*)(void*)> similarity_;  ///< n x n, symmetric, in units of 2^-31
  std::vector<std::uint32_t> largest_;                            ///< of each row, itself apart
  double pair_loss_ = 2;
};

/// Refuses what does not fit the memory allowed (4 GiB unless told), and inputs without embeddings.
[[nodiscard]] std::unique_ptr<Term> make_dense_facility_term(const TermSources& sources);

}  // namespace pith

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/rows.h"
#include "graph/score_filter.h"
#include "strategy/oracle.h"

namespace pith {

/// Canonical distance of every item to its nearest centre, brought up to date only when asked: an old
/// distance is an upper bound, so items in dense regions, which never come near the top, are compared with
/// few centres or none.
///
/// Many items are brought up to date together: the graph's kernels find the centres that, by the filter's
/// proven bounds, could be nearer than the nearest known one, and only those are looked at exactly.
class NearestCenter final : public Oracle {
 public:
  /// `rows` and `run` must outlive the oracle.
  NearestCenter(const MatrixView& rows, Metric metric, const Run& run);

  static constexpr std::size_t together = 512;   ///< items are brought up to date, where that pays
  static constexpr std::size_t far_behind = 32;  ///< centres

  [[nodiscard]] double score(Item item) override;
  void score_all(std::span<const Item> items, std::span<double> out) override;
  /// An item that is hardly behind is quicker brought up to date by itself.
  [[nodiscard]] std::size_t batch(Item item) const override {
    return centers_.size() - seen_[item] < far_behind ? 1 : together;
  }
  void add(Item item) override;
  /// A centre that is given up for the sake of the caps has shaped the choice of the others all the same.
  void remove(Item /*item*/) override {}

 private:
  /// Scratch of one thread.
  struct Worker {
    explicit Worker(const MatrixView& rows) : reader(rows) {}
    RowReader reader;
    std::vector<float> prepared;
    PackedPanel left;
    TileSide left_side;
    std::vector<float> offsets;
    std::vector<float> bars;
    std::vector<TileHit> hits;
    std::vector<std::uint32_t> likeliest;  ///< of each row, the place of its best hit
    KernelScratch scratch;
  };
  /// Centres packed for the kernel.
  struct CenterBlock {
    PackedPanel panel;
    TileSide side;
  };

  [[nodiscard]] double exact(const float* row, Item item, std::size_t center) const;
  void look_at(Item item, std::size_t center, Worker& worker);
  void update_exactly(Item item, Worker& worker);
  void update_filtered(std::span<const Item> items, Worker& worker);
  void look_at_hits(std::span<const Item> items, std::size_t first_center, Worker& worker);
  void pack_centers();

  const MatrixView& rows_;
  Metric metric_;
  const Run& run_;
  RowFacts facts_;
  std::vector<Item> everyone_;
  const TileKernel& kernel_;
  ScoreFilter filter_;
  std::vector<Item> centers_;
  std::vector<float> center_rows_;      ///< as they are, for exact distances
  std::vector<float> center_products_;  ///< made ready for products
  std::vector<float> center_offsets_;
  std::vector<CenterBlock> blocks_;
  std::size_t packed_ = 0;  ///< centres in blocks_
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<double> nearest_;
  std::vector<std::uint32_t> seen_;  ///< how many centres nearest_ accounts for
};

}  // namespace pith

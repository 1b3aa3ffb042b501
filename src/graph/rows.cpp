#include "graph/rows.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>

#include "base/clones.h"
#include "base/parallel.h"
#include "graph/metric.h"
#include "pith/error.h"

namespace pith {
namespace {

/// Copies a row with -0 made 0; gives the largest magnitude.
PITH_CLONES float normalise_zeros(const float* row, std::size_t dimension, float* out) noexcept {
  float largest = 0;
  for (std::size_t d = 0; d < dimension; ++d) {
    out[d] = row[d] + 0.0F;
    const float magnitude = std::fabs(row[d]);
    largest = largest < magnitude ? magnitude : largest;
  }
  return largest;
}

void raise_to(std::atomic<double>& most, double value) noexcept {
  double seen = most.load(std::memory_order_relaxed);
  while (seen < value && !most.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

void lower_to(std::atomic<std::size_t>& least, std::size_t value) noexcept {
  std::size_t seen = least.load(std::memory_order_relaxed);
  while (value < seen && !least.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

/// The lowest item with the values of each.
std::vector<Item> leaders_of_equals(const MatrixView& view, const RowFacts& facts, const Run& run) {
  struct Entry {
    std::uint64_t hash;
    Item item;
  };
  constexpr unsigned bits = 8;
  const auto bucket_of = [](std::uint64_t hash) { return hash >> (64 - bits); };
  const std::size_t n = view.rows;
  std::vector<std::size_t> starts((std::size_t{1} << bits) + 1, 0);
  for (const std::uint64_t hash : facts.hashes) ++starts[bucket_of(hash) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<Entry> entries(n);
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (Item item = 0; item < n; ++item) {
    const std::uint64_t hash = facts.hashes[item];
    entries[next[bucket_of(hash)]++] = {hash, item};
  }
  std::vector<Item> leader(n);
  parallel_for(run, starts.size() - 1, 1, [&](std::size_t bucket, std::size_t, unsigned) {
    const auto mine = std::span(entries).subspan(starts[bucket], starts[bucket + 1] - starts[bucket]);
    std::sort(mine.begin(), mine.end(), [](const Entry& a, const Entry& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.item < b.item;
    });
    RowReader reader(view);
    std::vector<Item> leaders;  // of the groups that share the hash at hand
    for (std::size_t at = 0; at < mine.size(); ++at) {
      const Item item = mine[at].item;
      if (at == 0 || mine[at - 1].hash != mine[at].hash) leaders.clear();
      leader[item] = item;
      const auto same = [&](Item other) {
        const float* x = reader.row(item, 0);
        return std::equal(x, x + view.cols, reader.row(other, 1));
      };
      if (const auto found = std::find_if(leaders.begin(), leaders.end(), same); found != leaders.end()) {
        leader[item] = *found;
      } else {
        leaders.push_back(item);
      }
    }
  });
  return leader;
}

}  // namespace

RowFacts survey_rows(const MatrixView& view, const Run& run) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  RowFacts facts;
  facts.squared_norms.resize(view.rows);
  facts.hashes.resize(view.rows);
  std::atomic<double> largest{0};
  std::atomic<std::size_t> first_bad{none};
  const std::size_t chunk =
      std::clamp<std::size_t>((std::size_t{1} << 18) / std::max<std::size_t>(1, view.cols), 1, 512);
  parallel_for(run, view.rows, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    std::vector<float> copy(view.cols);
    std::vector<float> tile;
    const float* rows = view.as_floats();
    if (rows != nullptr) {
      rows += begin * view.cols;
    } else {
      tile.resize((end - begin) * view.cols);
      view.read_rows(begin, end - begin, tile.data());
      rows = tile.data();
    }
    float most = 0;
    for (std::size_t item = begin; item < end; ++item, rows += view.cols) {
      facts.squared_norms[item] = squared_norm(rows, view.cols);
      if (!std::isfinite(facts.squared_norms[item])) lower_to(first_bad, item);
      most = std::max(most, normalise_zeros(rows, view.cols, copy.data()));
      facts.hashes[item] = XXH3_64bits(copy.data(), view.cols * sizeof(float));
    }
    raise_to(largest, static_cast<double>(most));
  });
  if (first_bad != none)
    throw Error(
        ErrorKind::bad_input,
        "row " + std::to_string(first_bad) +
            " of the embeddings holds a value that is not finite as a 32-bit float; leave the row out or "
            "rescale the embeddings");
  facts.largest = largest;
  return facts;
}

DistinctRows group_equal_rows(const MatrixView& view, const RowFacts& facts, const Run& run) {
  const std::size_t n = view.rows;
  const std::vector<Item> leader = leaders_of_equals(view, facts, run);
  DistinctRows distinct;
  distinct.group_of.resize(n);
  for (Item item = 0; item < n; ++item) {
    if (leader[item] == item) {
      distinct.group_of[item] = static_cast<Item>(distinct.first.size());
      distinct.first.push_back(item);
    } else {
      distinct.group_of[item] = distinct.group_of[leader[item]];
    }
  }
  distinct.starts.assign(distinct.first.size() + 1, 0);
  for (Item item = 0; item < n; ++item) ++distinct.starts[distinct.group_of[item] + 1];
  std::partial_sum(distinct.starts.begin(), distinct.starts.end(), distinct.starts.begin());
  distinct.members.resize(n);
  std::vector<std::uint32_t> next(distinct.starts.begin(), distinct.starts.end() - 1);
  for (Item item = 0; item < n; ++item) distinct.members[next[distinct.group_of[item]]++] = item;
  return distinct;
}

}  // namespace pith

#include "strategy/mean_item.h"

#include <limits>

#include "base/parallel.h"
#include "constraint/cap_tracker.h"
#include "graph/metric.h"

namespace pith {
namespace {

/// Mean of all rows, in double, summed in row order within fixed chunks: the same for any number of threads.
std::vector<float> mean_row(const MatrixView& rows, const Run& run) {
  constexpr std::size_t chunk = 4096;
  std::vector<std::vector<double>> sums((rows.rows + chunk - 1) / chunk);
  parallel_for(run, rows.rows, chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    std::vector<double>& sum = sums[begin / chunk];
    sum.assign(rows.cols, 0.0);
    std::vector<float> row(rows.cols);
    for (std::size_t at = begin; at < end; ++at) {
      rows.read_rows(at, 1, row.data());
      for (std::size_t col = 0; col < rows.cols; ++col) sum[col] += static_cast<double>(row[col]);
    }
  });
  std::vector<double> total(rows.cols, 0.0);
  for (const auto& sum : sums)
    for (std::size_t col = 0; col < rows.cols; ++col) total[col] += sum[col];
  std::vector<float> mean(rows.cols);
  for (std::size_t col = 0; col < rows.cols; ++col)
    mean[col] = static_cast<float>(total[col] / static_cast<double>(rows.rows));
  return mean;
}

/// Of every item, to the mean of all rows.
std::vector<double> distances_to_mean(const StrategyInput& input) {
  const MatrixView& rows = input.embeddings->view;
  const std::vector<float> mean = mean_row(rows, input.run);
  const double mean_norm = squared_norm(mean.data(), rows.cols);
  std::vector<double> distance(rows.rows);
  parallel_for(input.run, rows.rows, 4096, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    std::vector<float> row(rows.cols);
    for (std::size_t at = begin; at < end; ++at) {
      rows.read_rows(at, 1, row.data());
      distance[at] = dissimilarity(input.metric, row.data(), mean.data(), rows.cols,
                                   squared_norm(row.data(), rows.cols), mean_norm);
    }
  });
  return distance;
}

/// The admissible candidate of the least value, ties to the lower index.
std::vector<Pick> least_of(const StrategyInput& input, const std::vector<double>& values) {
  const CapTracker caps(input.balance);
  std::vector<Pick> first;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const auto item = static_cast<Item>(at);
    if (input.pool.state[at] != Pool::State::candidate || !caps.admits(item)) continue;
    if (first.empty() || values[at] < values[first[0].item])
      first = {{.item = item, .score = std::numeric_limits<double>::infinity()}};
  }
  return first;
}

}  // namespace

std::vector<Pick> nearest_to_mean(const StrategyInput& input) {
  return least_of(input, distances_to_mean(input));
}

std::vector<Pick> farthest_from_mean(const StrategyInput& input) {
  std::vector<double> distance = distances_to_mean(input);
  for (double& d : distance) d = -d;
  return least_of(input, distance);
}

}  // namespace pith

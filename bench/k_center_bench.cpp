#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <thread>

#include "cube_graph.h"
#include "pith/pith.h"

// k-center against the straightforward version on the same cores: for every new centre one matrix-vector
// product over all items (BLAS, single precision, all threads), a minimum and an arg max.
//
//   bench_k_center [items] [dimension] [classes of the mixture]

extern "C" void openblas_set_num_threads(int);

namespace {

std::vector<float> mixture(std::size_t n, std::size_t dimension, std::size_t classes) {
  std::mt19937_64 rng(7);
  std::normal_distribution<float> normal;
  std::vector<float> centers(classes * dimension);
  for (float& value : centers) value = normal(rng);
  std::vector<float> rows(n * dimension);
  for (std::size_t i = 0; i < n; ++i) {
    const float* center = centers.data() + rng() % classes * dimension;
    for (std::size_t d = 0; d < dimension; ++d) rows[i * dimension + d] = center[d] + 0.7F * normal(rng);
  }
  return rows;
}

std::vector<pith::Item> straightforward(const std::vector<float>& rows, std::size_t n, std::size_t dimension,
                                        pith::Item first, std::size_t budget) {
  std::vector<float> unit = rows;
  for (std::size_t i = 0; i < n; ++i) {
    float norm = 0;
    for (std::size_t d = 0; d < dimension; ++d) norm += unit[i * dimension + d] * unit[i * dimension + d];
    for (std::size_t d = 0; d < dimension; ++d) unit[i * dimension + d] /= std::sqrt(norm);
  }
  std::vector<float> nearest(n, std::numeric_limits<float>::infinity());
  std::vector<float> product(n);
  std::vector<pith::Item> picks = {first};
  while (picks.size() < budget) {
    nearest[picks.back()] = -1;
    cblas_sgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(n), static_cast<int>(dimension), 1, unit.data(),
                static_cast<int>(dimension), unit.data() + picks.back() * dimension, 1, 0, product.data(), 1);
    for (std::size_t i = 0; i < n; ++i) nearest[i] = std::min(nearest[i], 1 - product[i]);
    picks.push_back(
        static_cast<pith::Item>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin()));
  }
  return picks;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50'000;
  const std::size_t dimension = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 64;
  const std::size_t classes = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 100;
  const std::vector<float> rows = mixture(n, dimension, classes);
  pith::SelectInput input;
  input.embeddings = pith::Matrix::of_floats(rows, n, dimension, "mixture");
  input.predictions.classes = 2;
  input.predictions.best.assign(n, 0);
  input.predictions.second.assign(n, 1);
  input.predictions.margin.assign(n, 0.5);
  pith::SelectOptions options;
  options.strategy = "k-center";
  options.measure = false;
  options.budget.amount = 0.1;

  double ours = 1e300;
  double theirs = 1e300;
  std::size_t agree = 0;
  for (int round = 0; round < 3; ++round) {
    pith::Selection selection;
    ours = std::min(ours, bench::seconds_of([&] { selection = pith::select(input, options); }));
    openblas_set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<pith::Item> picks;
    theirs = std::min(theirs, bench::seconds_of([&] {
                        picks = straightforward(rows, n, dimension, selection.picks[0].item,
                                                selection.picks.size());
                      }));
    agree = 0;
    while (agree < picks.size() && picks[agree] == selection.picks[agree].item) ++agree;
  }
  const double flops =
      2.0 * static_cast<double>(n) * static_cast<double>(n / 10) * static_cast<double>(dimension);
  fmt::print("k-center, {} x {}, 10%: ours {:.3f} s, straightforward BLAS {:.3f} s: {:.1f} x faster\n", n,
             dimension, ours, theirs, theirs / ours);
  fmt::print(
      "every distance at once would be {:.1f} GFLOP: ours at {:.0f} GFLOP/s of that; same first {} of {} "
      "picks\n",
      flops / 1e9, flops / 1e9 / ours, agree, n / 10);
}

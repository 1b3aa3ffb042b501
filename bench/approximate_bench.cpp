#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/rng.h"
#include "cube_graph.h"
#include "graph/approximate_neighbors.h"
#include "pith/pith.h"

// The approximate search by itself, for tuning: what recall it reached, in how many cells, how fast.
//
//   bench_approximate [n] [dimension] [mixture|gaussian|FILE] [recall] [cells] [places]

namespace {

std::vector<float> make_rows(std::size_t n, std::size_t dimension, const std::string& style) {
  std::vector<float> rows(n * dimension);
  const std::size_t centres = std::max<std::size_t>(1, n / 1000);
  pith::parallel_for({}, n, 1024, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      pith::Rng rng(pith::random_bits(1, i));
      pith::Rng centre(pith::random_bits(2, rng.below(centres)));
      for (std::size_t d = 0; d < dimension; ++d) {
        const double around = style == "mixture" ? centre.normal() : 0.0;
        rows[i * dimension + d] = static_cast<float>(around + 0.5 * rng.normal());
      }
    }
  });
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int at, std::size_t usual) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : usual;
  };
  std::size_t n = number(1, 200'000);
  std::size_t dimension = number(2, 64);
  const std::string style = argc > 3 ? argv[3] : "mixture";
  pith::ApproximateOptions options;
  if (argc > 4) options.recall = std::strtod(argv[4], nullptr);
  options.cells = number(5, 0);
  if (argc > 6) options.places = std::strtod(argv[6], nullptr);
  pith::Matrix matrix;
  if (style == "mixture" || style == "gaussian") {
    matrix = pith::Matrix::of_floats(make_rows(n, dimension, style), n, dimension, style);
  } else {
    matrix = pith::read_matrix(style);
    n = matrix.rows();
    dimension = matrix.cols();
  }
  pith::ApproximateNeighbors found;
  const double seconds = bench::seconds_of(
      [&] { found = pith::approximate_neighbors(matrix.view, pith::Metric::cosine, 10, options, {}); });
  std::printf("%zu x %zu %s: %.2f s, recall %.4f [%.4f, %.4f]%s, %zu cells, %.3g places\n", n, dimension,
              style.c_str(), seconds, found.recall.recall, found.recall.low, found.recall.high,
              found.exact ? " (exact)" : "", found.cells, found.places);
}

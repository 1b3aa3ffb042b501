#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "bare_products.h"
#include "graph/exact_neighbors.h"

namespace {

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

/// neighbors_bench [n] [dimension] [metric: cosine l2 l1] [threads] [style: gaussian shifted constant line]
int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50000;
  const std::size_t dimension = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 64;
  const std::string metric_name = argc > 3 ? argv[3] : "cosine";
  const std::string style = argc > 5 ? argv[5] : "gaussian";
  pith::Run run;
  run.threads = argc > 4 ? static_cast<unsigned>(std::strtoul(argv[4], nullptr, 10)) : 0;
  const auto metric = metric_name == "l2"   ? pith::Metric::l2
                      : metric_name == "l1" ? pith::Metric::l1
                                            : pith::Metric::cosine;

  std::mt19937_64 rng(1);
  std::normal_distribution<float> normal;
  std::vector<float> rows(n * dimension, 1.0F);
  if (style == "gaussian")
    for (float& x : rows) x = normal(rng);
  // A common mean that outweighs the differences, as behind a ReLU.
  if (style == "shifted")
    for (float& x : rows) x = 1 + 0.3F * normal(rng);
  if (style == "line")
    for (std::size_t i = 0; i < n; ++i) rows[i * dimension] = static_cast<float>(i + 1);

  double products = 1e300;
  double search = 1e300;
  double products_cpu = 1e300;
  double search_cpu = 1e300;
  for (int round = 0; round < 3; ++round) {
    const double start = cpu_seconds();
    products = std::min(products, seconds_of([&] { bench::bare_products(rows, n, dimension, run); }));
    const double middle = cpu_seconds();
    search = std::min(search, seconds_of([&] {
                        const auto view = pith::MatrixView::of_floats(rows.data(), n, dimension);
                        const auto lists = pith::exact_neighbors(view, metric, 10, run);
                        if (lists.items.empty()) std::abort();
                      }));
    products_cpu = std::min(products_cpu, middle - start);
    search_cpu = std::min(search_cpu, cpu_seconds() - middle);
  }
  std::printf("%zu x %zu %s %s: products alone %.3f s, exact 10 neighbours %.3f s, ratio %.2f (%s)\n", n,
              dimension, metric_name.c_str(), style.c_str(), products, search, search / products,
              openblas_get_corename());
  // Beside other busy processes only processor time says something.
  std::printf("processor time: products %.3f s, neighbours %.3f s, ratio %.2f\n", products_cpu, search_cpu,
              search_cpu / products_cpu);
}

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

#include "cube_graph.h"
#include "graph/triangles.h"

namespace {

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

/// triangles_bench [n] [threads]
int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  pith::Run run;
  run.threads = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 0;
  auto lists = bench::cube_neighbors(n, 10);
  pith::GraphInfo info;
  info.neighbors = 10;
  pith::Graph graph;
  const double build = bench::seconds_of([&] { graph = pith::symmetrise(std::move(lists), info, run); });

  const auto pairs = bench::pairs_to_sort();
  double sort = 1e300;
  double find = 1e300;
  double sort_cpu = 1e300;
  double find_cpu = 1e300;
  pith::Triangles triangles;
  for (int round = 0; round < 5; ++round) {
    auto copy = pairs;
    const double start = cpu_seconds();
    sort = std::min(sort, bench::seconds_of([&] { std::sort(copy.begin(), copy.end()); }));
    const double middle = cpu_seconds();
    find = std::min(find, bench::seconds_of([&] { triangles = pith::find_triangles(graph, {}, run); }));
    sort_cpu = std::min(sort_cpu, middle - start);
    find_cpu = std::min(find_cpu, cpu_seconds() - middle);
  }
  std::printf("%zu items, %zu edges, %llu triangles, %llu thin\n", n, graph.edge_count(),
              static_cast<unsigned long long>(triangles.count),
              static_cast<unsigned long long>(triangles.thin_count));
  std::printf("lists to graph %.3f s; find_triangles %.3f s = %.2f sorts of 1,000,000 pairs (%.3f s)\n",
              build, find, find / sort, sort);
  // Beside other busy processes only processor time says something.
  std::printf("processor time: find_triangles %.3f s, sort %.3f s, ratio %.2f over %u threads\n", find_cpu,
              sort_cpu, find_cpu / sort_cpu, run.thread_count());
}

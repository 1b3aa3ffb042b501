#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "constraint/feasibility.h"
#include "cube_graph.h"

// Whether the caps can meet the budget: ours (reduce, fill, then flow through what is left) against the two
// maximum flows of Boost.Graph on the whole network source -> class -> boundary -> sink. Every answer is
// compared.
//
//   bench_caps [items] [classes]

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<boost::vertex_index_t, long,
                    boost::property<boost::vertex_color_t, boost::default_color_type,
                                    boost::property<boost::vertex_distance_t, long,
                                                    boost::property<boost::vertex_predecessor_t,
                                                                    Traits::edge_descriptor>>>>,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

Network network_of(const pith::Balance& balance, const std::vector<pith::Cell>& cells) {
  const std::size_t classes = balance.classes.groups();
  const std::size_t boundaries = balance.boundaries.groups();
  Network network(classes + boundaries + 2);
  const std::size_t source = classes + boundaries;
  const std::size_t sink = source + 1;
  const auto capacity = boost::get(boost::edge_capacity, network);
  const auto reverse = boost::get(boost::edge_reverse, network);
  const auto connect = [&](std::size_t from, std::size_t to, std::int64_t most) {
    const auto there = boost::add_edge(from, to, network).first;
    const auto back = boost::add_edge(to, from, network).first;
    capacity[there] = most;
    capacity[back] = 0;
    reverse[there] = back;
    reverse[back] = there;
  };
  for (std::size_t c = 0; c < classes; ++c) connect(source, c, balance.classes.room(c));
  for (std::size_t b = 0; b < boundaries; ++b) connect(classes + b, sink, balance.boundaries.room(b));
  for (const pith::Cell& cell : cells)
    connect(cell.class_group, cell.boundary_group == pith::no_group ? sink : classes + cell.boundary_group,
            cell.items);
  return network;
}

/// Classes of a long tail (`skew` 0: none); with `local` most second classes lie close by, as they do in
/// life.
pith::Predictions make_predictions(std::size_t n, std::uint32_t classes, double skew, bool local) {
  std::mt19937_64 rng(1);
  std::vector<double> weights(classes);
  for (std::uint32_t c = 0; c < classes; ++c) weights[c] = std::pow(100.0, -skew * c / classes);
  std::discrete_distribution<std::uint32_t> draw(weights.begin(), weights.end());
  std::uniform_real_distribution<double> uniform;
  pith::Predictions predictions;
  predictions.classes = classes;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t best = draw(rng);
    std::uint32_t second = best;
    while (second == best)
      second = local ? (best + 1 + static_cast<std::uint32_t>(std::pow(uniform(rng), 3) * 20)) % classes
                     : draw(rng);
    predictions.best.push_back(best);
    predictions.second.push_back(second);
    predictions.margin.push_back(uniform(rng));
  }
  return predictions;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const auto classes = static_cast<std::uint32_t>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000);
  struct Case {
    std::string name;
    double skew;
    bool local;
    bool proportional;
    double slack;
    double share;
  };
  for (const Case& c :
       {Case{"balanced, any second class, uniform boundary caps", 0, false, false, 2, 0.1},
        Case{"long tail, any second class, uniform boundary caps", 1, false, false, 2, 0.1},
        Case{"long tail, near second class, uniform boundary caps", 1, true, false, 1, 0.3},
        Case{"long tail, near second class, proportional caps, no slack", 1, true, true, 1, 0.3}}) {
    const pith::Predictions predictions = make_predictions(n, classes, c.skew, c.local);
    const pith::Pool pool = pith::Pool::of_all(n);
    pith::BalanceOptions options;
    options.boundary_slack = c.slack;
    if (c.proportional) options.boundary_cap = pith::ProportionalCap{};
    const auto budget = static_cast<std::int64_t>(static_cast<double>(n) * c.share);
    const pith::Balance balance =
        pith::make_balance(predictions, pool, budget, pith::BalanceKind::both, options);
    const std::vector<pith::Cell> cells = pith::count_cells(balance, pool);
    double ours = 1e300;
    double relaxing = 1e300;
    double kolmogorov = 1e300;
    double push_relabel = 1e300;
    std::int64_t answer = 0;
    for (int round = 0; round < 3; ++round) {
      ours = std::min(ours, bench::seconds_of([&] { answer = pith::feasible_size(balance, cells); }));
      pith::Balance relaxed = balance;
      relaxing =
          std::min(relaxing, bench::seconds_of([&] { (void)pith::relax_caps(relaxed, cells, budget); }));
      const std::size_t source = balance.classes.groups() + balance.boundaries.groups();
      const auto compare = [&](double& best, auto flow) {
        Network network = network_of(balance, cells);
        std::int64_t theirs = 0;
        best = std::min(best, bench::seconds_of([&] { theirs = flow(network); }));
        if (theirs == answer) return;
        fmt::print("DIFFERENT: {} and {}\n", answer, theirs);
        std::exit(1);
      };
      compare(kolmogorov, [&](Network& network) {
        return boost::boykov_kolmogorov_max_flow(network, source, source + 1);
      });
      compare(push_relabel,
              [&](Network& network) { return boost::push_relabel_max_flow(network, source, source + 1); });
    }
    fmt::print("{}: {} cells, feasible {} of {}\n", c.name, cells.size(), answer, budget);
    fmt::print(
        "  ours {:.1f} ms (with relaxing {:.1f}); Boykov-Kolmogorov {:.1f} ms: {:.1f} x; push-relabel {:.1f} "
        "ms: {:.1f} x\n",
        ours * 1e3, relaxing * 1e3, kolmogorov * 1e3, kolmogorov / ours, push_relabel * 1e3,
        push_relabel / ours);
  }
}

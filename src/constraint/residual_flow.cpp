// Boost.Graph's maximum flow on what a maximal flow leaves open.

#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/property_map/property_map.hpp>
#include <span>

#include "constraint/cap_flow.h"

namespace pith {
namespace {

using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                               boost::no_property, std::uint32_t, std::uint32_t>;
using CsrEdge = boost::graph_traits<Csr>::edge_descriptor;

struct Arc {
  std::uint32_t tail;
  std::uint32_t head;
  std::int64_t capacity;
};

/// Arcs 2i and 2i + 1 are each other's reverse.
class Network {
 public:
  void add(std::uint32_t tail, std::uint32_t head, std::int64_t forward, std::int64_t backward) {
    arcs_.push_back({tail, head, forward});
    arcs_.push_back({head, tail, backward});
  }

  [[nodiscard]] std::int64_t max_flow(std::uint32_t nodes, std::uint32_t source, std::uint32_t sink) const {
    std::vector<std::uint32_t> next(nodes + 1, 0);
    for (const Arc& arc : arcs_) ++next[arc.tail + 1];
    for (std::uint32_t v = 0; v < nodes; ++v) next[v + 1] += next[v];
    std::vector<std::uint32_t> place(arcs_.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges(arcs_.size());
    std::vector<std::int64_t> capacity(arcs_.size());
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      place[a] = next[arcs_[a].tail]++;
      edges[place[a]] = {arcs_[a].tail, arcs_[a].head};
      capacity[place[a]] = arcs_[a].capacity;
    }
    std::vector<CsrEdge> reverse(arcs_.size());
    for (std::size_t a = 0; a < arcs_.size(); ++a) reverse[place[a]] = CsrEdge(arcs_[a].head, place[a ^ 1U]);

    const Csr graph(boost::edges_are_sorted, edges.begin(), edges.end(), nodes);
    std::vector<std::int64_t> residual(arcs_.size());
    const auto edge_index = get(boost::edge_index, graph);
    const auto vertex_index = get(boost::vertex_index, graph);
    const auto of_edges = [&](auto& values) {
      return boost::make_iterator_property_map(values.begin(), edge_index);
    };
    const auto of_nodes = [&](auto& values) {
      return boost::make_iterator_property_map(values.begin(), vertex_index);
    };
    std::vector<CsrEdge> predecessor(nodes);
    std::vector<boost::default_color_type> color(nodes);
    std::vector<std::uint32_t> distance(nodes);
    return boost::boykov_kolmogorov_max_flow(graph, of_edges(capacity), of_edges(residual), of_edges(reverse),
                                             of_nodes(predecessor), of_nodes(color), of_nodes(distance),
                                             vertex_index, source, sink);
  }

 private:
  std::vector<Arc> arcs_;
};

/// Cells listed by either of their groups.
class Incidence {
 public:
  Incidence(const std::vector<FlowCell>& cells, std::uint32_t FlowCell::*group, std::size_t groups)
      : offsets_(groups + 1, 0), cells_(cells.size()) {
    for (const FlowCell& cell : cells) ++offsets_[cell.*group + 1];
    for (std::size_t g = 0; g < groups; ++g) offsets_[g + 1] += offsets_[g];
    std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::uint32_t c = 0; c < cells.size(); ++c) cells_[next[cells[c].*group]++] = c;
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t group) const {
    return {cells_.data() + offsets_[group], cells_.data() + offsets_[group + 1]};
  }

 private:
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> cells_;
};

/// The residual network of a flow, and which of its nodes lie on a way from spare class room to spare
/// boundary room. Only those can change the answer.
class Residual {
 public:
  Residual(const std::vector<FlowCell>& cells, const std::vector<std::int64_t>& taken, const Rooms& left)
      : cells_(cells),
        taken_(taken),
        left_(left),
        of_class_(cells, &FlowCell::class_group, left.classes.size()),
        of_boundary_(cells, &FlowCell::boundary_group, left.boundaries.size()),
        class_mark_(left.classes.size(), unseen),
        boundary_mark_(left.boundaries.size(), unseen) {}

  [[nodiscard]] std::int64_t max_flow() {
    walk_from_source();
    if (!walk_from_sink()) return 0;
    Network network;
    std::uint32_t nodes = 2;
    const auto number = [&](std::vector<std::uint32_t>& marks) {
      for (std::uint32_t& mark : marks) mark = mark == between ? nodes++ : 0;
    };
    number(class_mark_);
    number(boundary_mark_);
    constexpr std::uint32_t source = 0;
    constexpr std::uint32_t sink = 1;
    for (std::size_t g = 0; g < class_mark_.size(); ++g) {
      if (class_mark_[g] != 0 && left_.classes[g] > 0)
        network.add(source, class_mark_[g], left_.classes[g], 0);
    }
    for (std::size_t g = 0; g < boundary_mark_.size(); ++g) {
      if (boundary_mark_[g] != 0 && left_.boundaries[g] > 0) {
        network.add(boundary_mark_[g], sink, left_.boundaries[g], 0);
      }
    }
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const std::uint32_t a = class_mark_[cells_[c].class_group];
      const std::uint32_t b = boundary_mark_[cells_[c].boundary_group];
      if (a != 0 && b != 0) network.add(a, b, cells_[c].items - taken_[c], taken_[c]);
    }
    return network.max_flow(nodes, source, sink);
  }

 private:
  static constexpr std::uint32_t unseen = 0;
  static constexpr std::uint32_t from_source = 1;
  static constexpr std::uint32_t between = 2;

  [[nodiscard]] bool has_more(std::uint32_t cell) const { return cells_[cell].items > taken_[cell]; }
  [[nodiscard]] bool has_taken(std::uint32_t cell) const { return taken_[cell] > 0; }

  void walk_from_source() {
    std::vector<std::uint32_t> queue;
    for (std::uint32_t g = 0; g < class_mark_.size(); ++g) {
      if (left_.classes[g] > 0 && !of_class_.of(g).empty()) {
        class_mark_[g] = from_source;
        queue.push_back(g);
      }
    }
    while (!queue.empty()) {
      const std::uint32_t group = queue.back();
      queue.pop_back();
      for (const std::uint32_t cell : of_class_.of(group)) {
        std::uint32_t& mark = boundary_mark_[cells_[cell].boundary_group];
        if (mark != unseen || !has_more(cell)) continue;
        mark = from_source;
        for (const std::uint32_t back : of_boundary_.of(cells_[cell].boundary_group)) {
          std::uint32_t& holder = class_mark_[cells_[back].class_group];
          if (holder != unseen || !has_taken(back)) continue;
          holder = from_source;
          queue.push_back(cells_[back].class_group);
        }
      }
    }
  }

  /// Whether the sink can be reached at all.
  bool walk_from_sink() {
    std::vector<std::uint32_t> queue;
    for (std::uint32_t g = 0; g < boundary_mark_.size(); ++g) {
      if (left_.boundaries[g] > 0 && boundary_mark_[g] == from_source) {
        boundary_mark_[g] = between;
        queue.push_back(g);
      }
    }
    const bool reached = !queue.empty();
    while (!queue.empty()) {
      const std::uint32_t group = queue.back();
      queue.pop_back();
      for (const std::uint32_t cell : of_boundary_.of(group)) {
        std::uint32_t& mark = class_mark_[cells_[cell].class_group];
        if (mark != from_source || !has_more(cell)) continue;
        mark = between;
        for (const std::uint32_t back : of_class_.of(cells_[cell].class_group)) {
          std::uint32_t& holder = boundary_mark_[cells_[back].boundary_group];
          if (holder != from_source || !has_taken(back)) continue;
          holder = between;
          queue.push_back(cells_[back].boundary_group);
        }
      }
    }
    return reached;
  }

  const std::vector<FlowCell>& cells_;
  const std::vector<std::int64_t>& taken_;
  const Rooms& left_;
  Incidence of_class_;
  Incidence of_boundary_;
  std::vector<std::uint32_t> class_mark_;
  std::vector<std::uint32_t> boundary_mark_;
};

}  // namespace

std::int64_t augment_by_max_flow(const std::vector<FlowCell>& cells, const std::vector<std::int64_t>& taken,
                                 const Rooms& left) {
  return Residual(cells, taken, left).max_flow();
}

}  // namespace pith

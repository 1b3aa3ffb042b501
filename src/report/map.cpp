#include "report/map.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "base/output_file.h"
#include "base/parallel.h"
#include "base/sample.h"
#include "base/thousands.h"
#include "data/mapped_file.h"
#include "pipeline/option_values.h"
#include "pipeline/representatives.h"
#include "pith/error.h"

namespace pith {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t sample_seed = 0x6d6170;

/// All that the map depends on.
std::string key_of(const RunFolder& folder, const RunInputs& inputs, const MapOptions& options) {
  std::vector<Item> picks;
  for (const PickRecord& pick : folder.picks) picks.push_back(pick.item);
  const auto checksum = [&](const char* role, bool used) {
    const nlohmann::json* note = used ? folder.input(role) : nullptr;
    return note == nullptr ? std::string("none") : note->value("checksum", std::string());
  };
  const SelectOptions run_options = options_of(folder);
  std::string graph = "built";
  if (inputs.graph) {
    const GraphInfo& info = inputs.graph->info();
    graph = fmt::format("{}/{}/{}", info.fingerprint, info.neighbors, inputs.graph->edge_count());
  }
  return fmt::format("{} {} {:016x} {} {} {} {} {} {} {} {} {}", folder.items(),
                     checksum("embeddings", inputs.embeddings.has_value()),
                     XXH3_64bits(picks.data(), picks.size() * sizeof(Item)), graph, options.most_points,
                     options.layout, options.layout_options.seed, options.layout_options.epochs,
                     options.layout_options.strangers, run_options.graph.neighbors.value_or(0),
                     static_cast<int>(run_options.graph.metric),
                     static_cast<int>(run_options.graph.symmetry));
}

Matrix rows_of(const Matrix& matrix, std::span<const Item> items, const Run& run) {
  std::vector<float> values(items.size() * matrix.cols());
  parallel_for(run, items.size(), 256, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t at = begin; at < end; ++at)
      matrix.view.read_rows(items[at], 1, values.data() + at * matrix.cols());
  });
  return Matrix::of_floats(std::move(values), items.size(), matrix.cols(), matrix.source);
}

/// The part of the graph between some items.
Graph graph_between(const Graph& graph, std::span<const Item> items) {
  std::vector<std::uint32_t> place(graph.size(), no_pick);
  for (std::uint32_t at = 0; at < items.size(); ++at) place[items[at]] = at;
  std::vector<std::uint64_t> offsets = {0};
  std::vector<Item> neighbors;
  std::vector<float> dissimilarities;
  for (const Item item : items) {
    const auto row = graph.neighbors(item);
    for (std::size_t at = 0; at < row.size(); ++at) {
      if (place[row[at]] == no_pick) continue;
      neighbors.push_back(place[row[at]]);
      dissimilarities.push_back(graph.dissimilarities(item)[at]);
    }
    offsets.push_back(neighbors.size());
  }
  return Graph::of_rows(graph.info(), std::move(offsets), std::move(neighbors), std::move(dissimilarities));
}

class MapMaker {
 public:
  MapMaker(const RunFolder& folder, RunInputs& inputs, const MapOptions& options, const Run& run)
      : folder_(folder),
        inputs_(inputs),
        options_(options),
        run_(run),
        graph_options_(options_of(folder).graph) {}

  ItemMap make() {
    map_.items = choose_points(folder_.items(), folder_.picks, options_.most_points);
    if (inputs_.embeddings) make_pca();
    std::optional<Graph> graph = inputs_.graph;
    const bool sampled = map_.items.size() < folder_.items();
    if (!graph && !sampled && inputs_.embeddings)
      graph = build_graph(*inputs_.embeddings, graph_options_, run_);
    if (graph) find_stands_for(*graph);
    if (options_.layout) make_layout(graph, sampled);
    return std::move(map_);
  }

 private:
  void make_pca() {
    const bool unit_rows = graph_options_.metric == Metric::cosine;
    Pca pca = find_pca(inputs_.embeddings->view, map_.items, unit_rows, run_);
    for (std::size_t axis = 0; axis < 2; ++axis)
      map_.pca_share[axis] = pca.total_variance > 0 ? pca.variance[axis] / pca.total_variance : 0;
    map_.pca = std::move(pca.points);
  }

  void find_stands_for(const Graph& graph) {
    std::vector<Item> picks;
    for (const PickRecord& pick : folder_.picks) picks.push_back(pick.item);
    const auto all = find_representatives(graph, picks);
    for (const Item item : map_.items) map_.stands_for.push_back(all[item]);
  }

  void make_layout(const std::optional<Graph>& graph, bool sampled) {
    // Most neighbours of a sampled item are not in the sample: where the embeddings are there, they are
    // searched for anew within it.
    if (sampled && inputs_.embeddings) {
      GraphOptions own = graph_options_;
      own.neighbors = std::min<std::uint32_t>(own.neighbors.value_or(10),
                                              static_cast<std::uint32_t>(map_.items.size() - 1));
      const Matrix rows = rows_of(*inputs_.embeddings, map_.items, run_);
      map_.layout = find_layout(build_graph(rows, own, run_), map_.pca, options_.layout_options, run_);
    } else if (sampled && graph) {
      map_.layout = find_layout(graph_between(*graph, map_.items), map_.pca, options_.layout_options, run_);
    } else if (graph) {
      map_.layout = find_layout(*graph, map_.pca, options_.layout_options, run_);
    }
  }

  const RunFolder& folder_;
  RunInputs& inputs_;
  const MapOptions& options_;
  const Run& run_;
  GraphOptions graph_options_;
  ItemMap map_;
};

/// From the run folder, where it is there, or made and kept there.
ItemMap kept_map(const RunFolder& folder, RunInputs& inputs, const MapOptions& options, const Run& run) {
  const std::string path = (fs::path(folder.path) / options.file).string();
  const std::string key = key_of(folder, inputs, options);
  if (folder_has(folder.path, options.file))
    if (auto kept = parse_map(map_file(path).text(), key);
        kept && (kept->items.empty() || kept->items.back() < folder.items()))
      return std::move(*kept);
  ItemMap map = MapMaker(folder, inputs, options, run).make();
  if (!map.has_places()) return map;
  try {
    OutputFile file(path);
    file.write(map_bytes(map, key));
    file.put_in_place();
  } catch (const Error& error) {
    inputs.notes.push_back(fmt::format("The map could not be kept for the next report: {}.", error.what()));
  }
  return map;
}

}  // namespace

std::vector<Item> choose_points(std::size_t items, const std::vector<PickRecord>& picks, std::size_t most) {
  std::vector<Item> points;
  if (items <= most) {
    points.resize(items);
    std::iota(points.begin(), points.end(), Item{0});
    return points;
  }
  std::vector<std::uint8_t> taken(items, 0);
  const auto take = [&](Item item) {
    if (taken[item] == 0) points.push_back(item);
    taken[item] = 1;
  };
  Rng rng(sample_seed);
  if (picks.size() <= most / 2) {
    for (const PickRecord& pick : picks) take(pick.item);
  } else {
    for (const Item at : sample_without_repeats(picks.size(), most / 2, rng)) take(picks[at].item);
  }
  std::vector<std::uint8_t> is_pick(items, 0);
  for (const PickRecord& pick : picks) is_pick[pick.item] = 1;
  std::vector<Item> others;
  for (Item item = 0; item < items; ++item)
    if (is_pick[item] == 0) others.push_back(item);
  const std::size_t room = std::min(most - points.size(), others.size());
  for (const Item at : sample_without_repeats(others.size(), room, rng)) take(others[at]);
  std::sort(points.begin(), points.end());
  return points;
}

MapOptions read_map_options(const GivenTexts& given) {
  MapOptions options;
  const auto whole = [&](const char* name, std::int64_t least) -> std::optional<std::int64_t> {
    const auto found = given.find(name);
    if (found == given.end()) return std::nullopt;
    const std::int64_t value = parse_integer(name, found->second);
    if (value < least)
      throw Error(ErrorKind::bad_option,
                  fmt::format("--{}: {} given; write a number from {} up", name, value, least));
    return value;
  };
  if (const auto kind = given.find("map"); kind != given.end())
    options.layout = Choices<bool>{{{"umap", true}, {"pca", false}}}.parse("map", kind->second);
  if (const auto points = whole("points", 100)) options.most_points = static_cast<std::size_t>(*points);
  if (const auto seed = whole("seed", 0)) options.layout_options.seed = static_cast<std::uint64_t>(*seed);
  return options;
}

ItemMap make_map(const RunFolder& folder, RunInputs& inputs, const MapOptions& options, const Run& run) {
  std::optional<ItemMap> map;
  if (folder.path.empty())
    map = MapMaker(folder, inputs, options, run).make();
  else
    map = kept_map(folder, inputs, options, run);
  if (map->has_places() && map->items.size() < folder.items()) {
    inputs.notes.push_back(
        fmt::format("The map shows {} of {} items: picks and a random sample of the others.",
                    with_commas(map->items.size()), with_commas(folder.items())));
    if (map->stands_for.empty() && folder.measured)
      inputs.notes.emplace_back(
          "Which items a pick stands for is counted but not shown: give the graph of all items with "
          "--graph.");
  }
  return std::move(*map);
}

}  // namespace pith

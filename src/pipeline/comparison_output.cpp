#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/thousands.h"
#include "pipeline/compare.h"
#include "pipeline/describe_graph.h"

namespace pith {
namespace {

using Json = nlohmann::ordered_json;

/// One column of the comparison, told once for the table, the CSV and the JSON.
struct Column {
  const char* name;   ///< in the CSV and the JSON
  const char* title;  ///< in the table
  Json (*value)(const ComparisonRow& row);
  const char* digits;  ///< of the table
};

template <class Number>
Json or_null(const std::optional<Number>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const std::vector<Column>& columns() {
  using Row = const ComparisonRow&;
  static const std::vector<Column> all = {
      {"picks", "picks", [](Row r) -> Json { return r.selection.picks.size(); }, "{:.0f}"},
      {"objective", "f", [](Row r) -> Json { return r.objective; }, "{:.6g}"},
      {"mean_uncertainty", "uncertainty", [](Row r) -> Json { return r.mean_uncertainty; }, "{:.3f}"},
      {"class_entropy", "classes", [](Row r) -> Json { return r.class_entropy; }, "{:.3f}"},
      {"boundary_entropy", "boundaries", [](Row r) -> Json { return r.boundary_entropy; }, "{:.3f}"},
      {"coverage_radius", "radius", [](Row r) -> Json { return or_null(r.radius); }, "{:.4g}"},
      {"mean_distance", "mean dist", [](Row r) -> Json { return or_null(r.mean_distance); }, "{:.4g}"},
      {"seconds", "seconds", [](Row r) -> Json { return r.seconds; }, "{:.2f}"},
      {"memory_bytes", "memory MB", [](Row r) -> Json { return or_null(r.memory_bytes); }, "{:.1f}"},
  };
  return all;
}

std::string cell(const Column& column, const ComparisonRow& row) {
  const Json value = column.value(row);
  if (value.is_null()) return "-";
  const double unit = std::string_view(column.name) == "memory_bytes" ? 1e-6 : 1;
  return fmt::format(fmt::runtime(column.digits), value.get<double>() * unit);
}

/// Columns as wide as their widest cell, the first to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& table) {
  std::vector<std::size_t> width;
  for (const auto& line : table)
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (at == width.size()) width.push_back(0);
      width[at] = std::max(width[at], line[at].size());
    }
  std::string out;
  for (const auto& line : table) {
    out += fmt::format("  {:<{}}", line[0], width[0]);
    for (std::size_t at = 1; at < line.size(); ++at) out += fmt::format("  {:>{}}", line[at], width[at]);
    out += '\n';
  }
  return out;
}

std::vector<std::string> overlap_line(const Comparison& comparison, std::size_t row) {
  std::vector<std::string> line = {comparison.rows[row].selection.options.strategy};
  for (const double share : comparison.jaccard[row]) line.push_back(fmt::format("{:.3f}", share));
  return line;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::vector<std::vector<std::string>> table = {{"strategy"}};
  for (const Column& column : columns()) table[0].emplace_back(column.title);
  std::vector<std::vector<std::string>> overlap = {{"overlap"}};
  for (std::size_t at = 0; at < comparison.rows.size(); ++at) {
    const ComparisonRow& row = comparison.rows[at];
    table.push_back({row.selection.options.strategy});
    for (const Column& column : columns()) table.back().push_back(cell(column, row));
    overlap[0].push_back(row.selection.options.strategy);
    overlap.push_back(overlap_line(comparison, at));
  }
  const std::size_t items = comparison.rows.empty() ? 0 : comparison.rows[0].selection.items;
  return fmt::format(
      "{} {} on {} items; graph: {} neighbours each, {}, {:.2f} s\n{}"
      "f, uncertainty: one measure for all; classes, boundaries: entropy of the picks, 1 is even; radius: "
      "the farthest item from its nearest pick\n{}",
      comparison.rows.size(), comparison.rows.size() == 1 ? "strategy" : "strategies", with_commas(items),
      comparison.graph.neighbors, describe_search(comparison.graph), comparison.graph_seconds, aligned(table),
      aligned(overlap));
}

std::string comparison_csv(const Comparison& comparison) {
  std::string csv = "strategy";
  for (const Column& column : columns()) csv += fmt::format(",{}", column.name);
  for (const ComparisonRow& row : comparison.rows)
    csv += fmt::format(",overlap_{}", row.selection.options.strategy);
  csv += '\n';
  for (std::size_t at = 0; at < comparison.rows.size(); ++at) {
    const ComparisonRow& row = comparison.rows[at];
    csv += row.selection.options.strategy;
    for (const Column& column : columns()) {
      const Json value = column.value(row);
      csv += fmt::format(",{}", value.is_null() ? "" : value.dump());
    }
    for (const double share : comparison.jaccard[at]) csv += fmt::format(",{}", share);
    csv += '\n';
  }
  return csv;
}

std::string comparison_json(const Comparison& comparison) {
  Json json = {{"graph", search_json(comparison.graph)}};
  json["graph"]["neighbors"] = comparison.graph.neighbors;
  json["graph"]["seconds"] = comparison.graph_seconds;
  json["strategies"] = Json::array();
  for (const ComparisonRow& row : comparison.rows) {
    Json one = {{"strategy", row.selection.options.strategy}};
    for (const Column& column : columns()) one[column.name] = column.value(row);
    std::vector<Item> picks;
    for (const PickRow& pick : row.selection.picks) picks.push_back(pick.item);
    one["indices"] = picks;
    json["strategies"].push_back(one);
  }
  json["jaccard"] = comparison.jaccard;
  return json.dump(2) + "\n";
}

}  // namespace pith

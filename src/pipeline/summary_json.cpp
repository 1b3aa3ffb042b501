#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pipeline/describe_graph.h"
#include "pipeline/option_table.h"
#include "pipeline/outputs.h"
#include "pipeline/plan_json.h"

namespace pith {
namespace {

using Json = nlohmann::ordered_json;

/// The group lists can have hundreds of thousands of rows: written straight into the text.
void append_groups(fmt::memory_buffer& out, const std::vector<GroupRow>& groups, bool boundaries) {
  auto end = fmt::appender(out);
  out.push_back('[');
  const char* separator = "\n      ";
  for (const GroupRow& row : groups) {
    fmt::format_to(end, FMT_COMPILE("{}"), separator);
    separator = ",\n      ";
    if (boundaries)
      fmt::format_to(end, FMT_COMPILE(R"({{"label": "{}-{}", "classes": [{}, {}])"), row.first, row.second,
                     row.first, row.second);
    else
      fmt::format_to(end, FMT_COMPILE(R"({{"label": "{}")"), row.first);
    fmt::format_to(
        end,
        FMT_COMPILE(R"(, "available": {}, "labelled": {}, "cap": {}, "cap_requested": {}, "selected": {}}})"),
        row.available, row.labelled, row.cap, row.cap_requested, row.selected);
  }
  fmt::format_to(end, FMT_COMPILE("{}]"), groups.empty() ? "" : "\n    ");
}

/// Renders a value at the indentation of the top level. Bytes of a path that are no UTF-8 become U+FFFD.
std::string indented(const Json& value) {
  std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 3))
    text.insert(at + 1, "  ");
  return text;
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json budget_json(const Selection& s) {
  Json json = {{"requested", s.requested},   {"selected", s.picks.size()}, {"augmented", s.augmented},
               {"candidates", s.candidates}, {"labelled", s.labelled},     {"excluded", s.excluded}};
  if (s.options.cost_budget) {
    json["cost"] = s.cost;
    json["cost_budget"] = *s.options.cost_budget;
  }
  return json;
}

Json objective_json(const Selection& s) {
  if (!s.measured) return nullptr;
  Json json = {{"total", s.objective.total},
               {"uncertainty", s.objective.uncertainty},
               {"diversity", s.objective.diversity},
               {"triple", s.objective.triple}};
  for (const TermShare& other : s.objective.others) json[other.name] = other.value;
  return json;
}

Json certificate_json(const Selection& s) {
  if (!s.measured) return nullptr;
  const Certificate& c = s.certificate;
  return {{"upper_bound", number(c.upper_bound)},
          {"ratio", number(c.ratio)},
          {"ratio_without_constant",
           c.ratio_without_constant ? number(*c.ratio_without_constant) : Json(nullptr)}};
}

Json graph_json(const Selection& s) {
  if (!s.measured) return nullptr;
  Json json = {{"neighbors", s.graph.neighbors},
               {"edges", s.edges},
               {"triangles", s.triangles},
               {"thin_triangles", s.thin_triangles},
               {"area_threshold", s.area_threshold},
               {"max_weighted_degree", s.largest_weighted_degree},
               {"metric", s.graph.metric == Metric::cosine ? "cosine"
                          : s.graph.metric == Metric::l2   ? "l2"
                                                           : "l1"},
               {"symmetry", s.graph.symmetry == Symmetry::either ? "union" : "mutual"},
               {"fingerprint", s.graph.fingerprint}};
  json.update(search_json(s.graph));
  return json;
}

Json coverage_json(const Selection& s) {
  Json json = {{"mean_uncertainty", s.mean_uncertainty},
               {"mean_uncertainty_of_all", s.mean_uncertainty_of_all}};
  if (s.measured) json["represented"] = s.represented;
  return json;
}

Json options_json(const SelectOptions& options) {
  Json json = Json::object();
  for (const OptionSpec& spec : select_option_specs()) json[spec.name] = spec.get(options);
  return json;
}

Json inputs_json(const std::vector<InputNote>& inputs) {
  Json json = Json::object();
  for (const InputNote& input : inputs) {
    Json note = {{"path", input.path}};
    if (!input.shape.empty()) note["shape"] = input.shape;
    note["checksum"] = "xxh3:" + input.checksum;
    if (input.logits) note["logits"] = true;
    if (input.zero_rows > 0) {
      note["zero_vectors"] = input.zero_rows;
      note["first_zero_vector"] = input.first_zero_row;
    }
    for (const ShardNote& shard : input.shards)
      note["shards"].push_back(
          {{"path", shard.path}, {"rows", shard.rows}, {"checksum", "xxh3:" + shard.checksum}});
    json[input.role] = note;
  }
  return json;
}

Json seconds_json(const Selection& s, const RunNotes& notes) {
  Json json = Json::object();
  double total = 0;
  for (const auto* stages : {&notes.seconds, &s.seconds})
    for (const auto& [stage, seconds] : *stages) {
      json[stage] = seconds;
      total += seconds;
    }
  json["total"] = total;
  return json;
}

}  // namespace

Json plan_json(const Plan& plan) {
  Json json = {{"bytes", plan.most_bytes()}, {"seconds", plan.seconds()}, {"stages", Json::array()}};
  for (const Plan::Stage& stage : plan.stages)
    json["stages"].push_back({{"name", stage.name}, {"bytes", stage.bytes()}, {"seconds", stage.seconds}});
  return json;
}

Json summary_head(const Selection& s, const RunNotes& notes) {
  Json head = {{"version", version()},
               {"strategy", s.options.strategy},
               {"items", s.items},
               {"classes", s.classes},
               {"budget", budget_json(s)},
               {"feasible_size", s.feasible_size},
               {"feasible_size_exact", s.feasible_size_exact},
               {"objective", objective_json(s)},
               {"certificate", certificate_json(s)},
               {"coverage", coverage_json(s)},
               {"graph", graph_json(s)},
               {"options", options_json(s.options)},
               {"automatic", s.automatic},
               {"inputs", inputs_json(notes.inputs)},
               {"seconds", seconds_json(s, notes)},
               {"plan", plan_json(s.plan)},
               {"peak_rss_bytes", notes.peak_rss_bytes},
               {"threads", notes.threads}};
  if (s.plan.stages.empty()) head.erase("plan");  // several ranks make none
  return head;
}

std::string summary_json(const Selection& s, const RunNotes& notes) {
  fmt::memory_buffer out;
  auto end = fmt::appender(out);
  out.append(std::string_view("{\n"));
  const Json head = summary_head(s, notes);
  for (const auto& [name, value] : head.items())
    fmt::format_to(end, "  \"{}\": {},\n", name, indented(value));
  if (notes.ranks != 0) fmt::format_to(end, "  \"ranks\": {},\n", notes.ranks);
  if (notes.distributed) {
    Json told = {{"way", notes.distributed->first}};
    for (const auto& [name, value] : notes.distributed->second) told[name] = number(value);
    fmt::format_to(end, "  \"distributed\": {},\n", indented(told));
  }
  fmt::format_to(
      end,
      "  \"constraints\": {{\n    \"relaxed\": {},\n    \"class_level\": {},\n    \"boundary_factor\": "
      "{},\n    \"class_active\": {},\n    \"boundary_active\": {},\n    \"class\": ",
      s.relaxed, s.class_level, s.boundary_factor, s.class_caps_active, s.boundary_caps_active);
  append_groups(out, s.class_groups, false);
  out.append(std::string_view(",\n    \"boundary\": "));
  append_groups(out, s.boundaries, true);
  out.append(std::string_view("\n  }\n}\n"));
  return fmt::to_string(out);
}

}  // namespace pith

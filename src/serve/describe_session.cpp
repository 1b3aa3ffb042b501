#include "serve/describe_session.h"

#include <algorithm>
#include <cmath>

#include "pipeline/option_table.h"
#include "pipeline/outputs.h"
#include "report/extent.h"
#include "serve/hand_out.h"
#include "strategy/registry.h"

namespace pith::serve {
namespace {

void add_places(Pack& pack, const std::string& name, const std::vector<Point>& points) {
  const GridPlaces places(points);
  pack.add(name + ".x", std::span<const std::uint16_t>(places.xs));
  pack.add(name + ".y", std::span<const std::uint16_t>(places.ys));
}

template <class Value, class Rows, class Of>
void add_column(Pack& pack, const std::string& name, const Rows& rows, Of of) {
  std::vector<Value> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(static_cast<Value>(of(row)));
  pack.add(name, std::span<const Value>(values));
}

void add_groups(Pack& pack, const std::string& name, const std::vector<GroupRow>& groups, bool pairs) {
  const auto count = [&](const char* field, auto of) {
    add_column<std::uint32_t>(pack, name + "." + field, groups, [&](const GroupRow& row) {
      return std::clamp<std::int64_t>(of(row), 0, UINT32_MAX);
    });
  };
  count("available", [](const GroupRow& row) { return row.available; });
  count("labelled", [](const GroupRow& row) { return row.labelled; });
  count("cap", [](const GroupRow& row) { return row.cap; });
  count("cap_requested", [](const GroupRow& row) { return row.cap_requested; });
  count("selected", [](const GroupRow& row) { return row.selected; });
  if (!pairs) return;
  count("first", [](const GroupRow& row) { return std::int64_t{row.first}; });
  count("second", [](const GroupRow& row) { return std::int64_t{row.second}; });
}

Json options_of_table() {
  Json out = Json::array();
  const SelectOptions usual;
  for (const OptionSpec& spec : select_option_specs()) {
    if (spec.group == "Graph" || spec.name == "measure") continue;
    out.push_back({{"name", spec.name}, {"help", spec.help}, {"usual", spec.get(usual)}});
  }
  return out;
}

/// Which strategies this run has all the inputs for.
Json strategies_json(const Session& session) {
  Json out = Json::array();
  for (const Strategy& strategy : strategies()) {
    const bool possible = (!strategy.needs_embeddings || session.input.embeddings.rows() != 0) &&
                          strategy.needs_models <= session.input.probabilities.members.size();
    out.push_back({{"name", strategy.name},
                   {"summary", strategy.summary},
                   {"possible", possible},
                   {"maximises", strategy.maximises_objective()}});
  }
  return out;
}

}  // namespace

Json session_json(const Session& session) {
  Json out;
  out["name"] = session.name;
  out["version"] = version();
  out["items"] = session.folder.items();
  out["classes"] = session.folder.classes();
  out["class_names"] = session.class_names.empty() ? Json() : Json(session.class_names);
  out["has_ids"] = !session.ids.empty();
  out["labelled"] = session.input.labelled.size();
  out["excluded"] = session.input.excluded.size();
  out["points"] = session.map.items.size();
  out["given"] = session.given;
  out["options"] = options_of_table();
  out["strategies"] = strategies_json(session);
  out["formats"] = Json::array();
  for (const auto& [name, summary] : handout_formats())
    out["formats"].push_back({{"name", name}, {"summary", summary}});
  out["has_costs"] = !session.input.costs.empty();
  out["notes"] = session.notes;
  return out;
}

std::string points_pack(const Session& session, const Predictions& predictions) {
  const ItemMap& map = session.map;
  Pack pack;
  pack.data = {{"total", session.folder.items()},
               {"count", map.items.size()},
               {"items", nullptr},
               {"pca", nullptr},
               {"layout", nullptr},
               {"labelled", nullptr}};
  if (map.items.size() != session.folder.items()) pack.add("items", std::span<const Item>(map.items));
  if (!map.pca.empty()) {
    pack.data["pca"] = {{"share", map.pca_share}};
    add_places(pack, "pca", map.pca);
  }
  if (!map.layout.empty()) {
    pack.data["layout"] = Json::object();
    add_places(pack, "layout", map.layout);
  }
  const auto add_classes = [&]<class Number>(Number) {
    add_column<Number>(pack, "class", map.items, [&](Item item) { return predictions.best[item]; });
    add_column<Number>(pack, "second", map.items, [&](Item item) { return predictions.second[item]; });
  };
  if (predictions.classes <= 0x10000)
    add_classes(std::uint16_t{});
  else
    add_classes(std::uint32_t{});
  add_column<float>(pack, "margin", map.items, [&](Item item) { return predictions.margin[item]; });
  if (!session.input.labelled.empty()) {
    std::vector<std::uint8_t> labelled(session.folder.items(), 0);
    for (const Item item : session.input.labelled) labelled[item] = 1;
    add_column<std::uint8_t>(pack, "labelled", map.items, [&](Item item) { return labelled[item]; });
  }
  return pack.bytes();
}

std::string choice_pack(const Choice& choice) {
  const Selection& selection = choice.selection();
  Pack pack;
  Json run = summary_head(selection, {});
  run["relaxed"] = selection.relaxed;
  run["class_level"] = selection.class_level;
  run["boundary_factor"] = selection.boundary_factor;
  run["class_active"] = selection.class_caps_active;
  run["boundary_active"] = selection.boundary_caps_active;
  run["measured"] = selection.measured;
  pack.data = {{"number", choice.number()},
               {"run", std::move(run)},
               {"classes", Json::object()},
               {"boundaries", Json::object()},
               {"picks", Json::object()}};
  pack.data["picks"]["total"] = selection.picks.size();
  add_groups(pack, "classes", selection.class_groups, false);
  add_groups(pack, "boundaries", selection.boundaries, true);
  const auto& picks = selection.picks;
  add_column<std::uint32_t>(pack, "picks.index", picks, [](const PickRow& row) { return row.item; });
  add_column<float>(pack, "picks.gain", picks, [](const PickRow& row) { return row.gain; });
  add_column<float>(pack, "picks.uncertainty", picks, [](const PickRow& row) { return row.uncertainty; });
  add_column<float>(pack, "picks.penalty", picks, [](const PickRow& row) { return row.pair_penalty; });
  add_column<float>(pack, "picks.triple", picks, [](const PickRow& row) { return row.triple_gain; });
  add_column<std::uint32_t>(pack, "picks.class", picks, [](const PickRow& row) { return row.class_label; });
  add_column<std::uint32_t>(pack, "picks.boundary", picks,
                            [](const PickRow& row) { return row.boundary ? *row.boundary + 1 : 0; });
  add_column<std::uint32_t>(pack, "picks.represents", picks,
                            [](const PickRow& row) { return row.represents; });
  add_column<std::uint8_t>(pack, "picks.augmented", picks,
                           [](const PickRow& row) { return row.augmented ? 1 : 0; });
  pack.data["others"] = Json::array();
  for (std::size_t at = 0; at < selection.objective.others.size(); ++at) {
    const TermShare& other = selection.objective.others[at];
    pack.data["others"].push_back({{"name", other.name}});
    add_column<float>(pack, "others." + std::to_string(at) + ".gains", other.gains,
                      [](double gain) { return gain; });
  }
  return pack.bytes();
}

Json certificate_json(const Certificate& certificate) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  return {{"upper_bound", number(certificate.upper_bound)},
          {"ratio", number(certificate.ratio)},
          {"ratio_without_constant",
           certificate.ratio_without_constant ? number(*certificate.ratio_without_constant) : Json()}};
}

}  // namespace pith::serve

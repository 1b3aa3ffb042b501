#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include "report/columns.h"
#include "report/extent.h"
#include "report/sections.h"
#include "report/thumbnails.h"

namespace pith {
namespace {

using Boundary = std::pair<std::uint32_t, std::uint32_t>;

std::map<Boundary, std::uint32_t> boundary_places(const RunFolder& folder) {
  std::map<Boundary, std::uint32_t> places;
  for (const nlohmann::json& row : folder.summary.at("constraints").at("boundary")) {
    const nlohmann::json& pair = row.at("classes");
    places.emplace(Boundary(pair[0].get<std::uint32_t>(), pair[1].get<std::uint32_t>()),
                   static_cast<std::uint32_t>(places.size()));
  }
  return places;
}

/// The values of some picks, one a listed pick.
template <class Value, class Of>
std::vector<Value> of_listed(const RunFolder& folder, const std::vector<std::uint32_t>& listed, Of of) {
  std::vector<Value> values;
  values.reserve(listed.size());
  for (const std::uint32_t rank : listed) values.push_back(static_cast<Value>(of(folder.picks[rank])));
  return values;
}

PageJson places_json(const std::vector<Point>& points) {
  const GridPlaces places(points);
  return {{"x", typed_column<std::uint16_t>("u16", places.xs)},
          {"y", typed_column<std::uint16_t>("u16", places.ys)}};
}

}  // namespace

Extremes find_extremes(const RunFolder& folder, std::size_t count) {
  std::vector<std::uint32_t> ranks(folder.picks.size());
  std::iota(ranks.begin(), ranks.end(), 0U);
  std::stable_sort(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return folder.picks[a].uncertainty < folder.picks[b].uncertainty;
  });
  // Of few picks none is on both lists.
  count = std::min(count, (ranks.size() + 1) / 2);
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(count);
  Extremes extremes{.certain = {ranks.begin(), end}, .uncertain = {}};
  std::stable_sort(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return folder.picks[a].uncertainty > folder.picks[b].uncertainty;
  });
  count = std::min(count, ranks.size() - count);
  extremes.uncertain = {ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(count)};
  return extremes;
}

std::vector<std::uint32_t> choose_listed(const RunFolder& folder, const std::vector<std::uint32_t>& always) {
  std::vector<std::uint32_t> listed(std::min(folder.picks.size(), most_listed_picks));
  std::iota(listed.begin(), listed.end(), 0U);
  listed.insert(listed.end(), always.begin(), always.end());
  std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  return listed;
}

PageJson run_section(const RunFolder& folder) {
  PageJson out;
  for (const char* name :
       {"version", "strategy", "items", "classes", "budget", "feasible_size", "feasible_size_exact",
        "objective", "certificate", "coverage", "graph", "options", "inputs", "seconds", "threads"})
    out[name] = folder.summary.value(name, nlohmann::json());
  const nlohmann::json& constraints = folder.summary.at("constraints");
  for (const char* name : {"relaxed", "class_level", "boundary_factor", "class_active", "boundary_active"})
    out[name] = constraints.value(name, nlohmann::json());
  out["measured"] = folder.measured;
  return out;
}

PageJson groups_section(const RunFolder& folder, const char* kind) {
  PageJson out;
  const nlohmann::json& rows = folder.summary.at("constraints").at(kind);
  for (const char* field : {"available", "labelled", "cap", "cap_requested", "selected"}) {
    std::vector<std::uint64_t> values;
    // A cap may be larger than any number of items; columns have 32 bits.
    for (const nlohmann::json& row : rows)
      values.push_back(static_cast<std::uint64_t>(
          std::clamp<std::int64_t>(row.at(field).get<std::int64_t>(), 0, UINT32_MAX)));
    out[field] = whole_column(values);
  }
  if (kind == std::string_view("boundary"))
    for (const std::size_t end : {0U, 1U}) {
      std::vector<std::uint32_t> values;
      for (const nlohmann::json& row : rows) values.push_back(row.at("classes")[end].get<std::uint32_t>());
      out[end == 0 ? "first" : "second"] = whole_column(values);
    }
  return out;
}

PageJson picks_section(const RunFolder& folder, const std::vector<std::uint32_t>& listed) {
  const auto whole = [&](auto of) { return whole_column(of_listed<std::uint64_t>(folder, listed, of)); };
  const auto real = [&](auto of) { return float_column(of_listed<float>(folder, listed, of)); };
  const auto places = boundary_places(folder);
  PageJson out;
  out["total"] = folder.picks.size();
  out["rank"] = whole_column(listed);
  out["index"] = whole([](const PickRecord& p) { return p.item; });
  out["gain"] = real([](const PickRecord& p) { return p.gain; });
  out["uncertainty"] = real([](const PickRecord& p) { return p.uncertainty; });
  out["penalty"] = real([](const PickRecord& p) { return p.pair_penalty; });
  out["triple"] = real([](const PickRecord& p) { return p.triple_gain; });
  out["class"] = whole([](const PickRecord& p) { return p.class_label; });
  out["boundary"] = whole([&](const PickRecord& p) {
    const auto found = p.boundary ? places.find(*p.boundary) : places.end();
    return found == places.end() ? 0U : found->second + 1;
  });
  out["represents"] = whole([](const PickRecord& p) { return p.represents; });
  out["augmented"] = whole([](const PickRecord& p) { return p.augmented ? 1U : 0U; });
  out["ids"] = nullptr;
  if (folder.has_ids) {
    out["ids"] = PageJson::array();
    for (const std::uint32_t rank : listed) out["ids"].push_back(folder.picks[rank].id);
  }
  return out;
}

PageJson gain_section(const RunFolder& folder, std::size_t most_bins) {
  if (!folder.measured || folder.picks.empty()) return nullptr;
  // The weight of uncertainty, whatever options led to it: the share of f that uncertainty has.
  double sum = 0;
  for (const PickRecord& pick : folder.picks) sum += pick.uncertainty;
  const double share = folder.summary.at("objective").value("uncertainty", 0.0);
  const double weight = sum > 0 ? share / sum : 0;

  std::vector<std::string> names = {"uncertainty", "diversity", "triples"};
  names.insert(names.end(), folder.other_terms.begin(), folder.other_terms.end());
  const std::size_t n = folder.picks.size();
  const std::size_t bins = std::min(n, most_bins);
  std::vector<std::uint32_t> first;
  std::vector<std::vector<float>> means(names.size());
  std::vector<float> penalties;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t begin = bin * n / bins;
    const std::size_t end = (bin + 1) * n / bins;
    std::vector<double> sums(names.size(), 0.0);
    double penalty = 0;
    for (std::size_t at = begin; at < end; ++at) {
      const PickRecord& pick = folder.picks[at];
      double rest = pick.gain - weight * pick.uncertainty - pick.triple_gain;
      for (std::size_t other = 0; other < pick.others.size(); ++other) {
        sums[3 + other] += pick.others[other];
        rest -= pick.others[other];
      }
      sums[0] += weight * pick.uncertainty;
      sums[1] += rest;
      sums[2] += pick.triple_gain;
      penalty += pick.pair_penalty;
    }
    penalties.push_back(static_cast<float>(penalty / static_cast<double>(end - begin)));
    first.push_back(static_cast<std::uint32_t>(begin));
    for (std::size_t term = 0; term < names.size(); ++term)
      means[term].push_back(static_cast<float>(sums[term] / static_cast<double>(end - begin)));
  }
  PageJson out = {
      {"first", whole_column(first)}, {"penalty", float_column(penalties)}, {"terms", PageJson::array()}};
  for (std::size_t term = 0; term < names.size(); ++term)
    out["terms"].push_back({{"name", names[term]}, {"mean", float_column(means[term])}});
  return out;
}

PageJson map_section(const RunFolder& folder, const RunInputs& inputs, const ItemMap& map, const Run& run) {
  if (!map.has_places()) return nullptr;
  PageJson out = {{"total", folder.items()}, {"count", map.items.size()}};
  const bool all = map.items.size() == folder.items();
  out["items"] = all ? PageJson() : whole_column(map.items);
  out["pca"] = nullptr;
  if (!map.pca.empty()) {
    out["pca"] = places_json(map.pca);
    out["pca"]["share"] = map.pca_share;
  }
  out["layout"] = map.layout.empty() ? PageJson() : places_json(map.layout);

  std::vector<std::uint32_t> rank_of(folder.items(), 0);
  for (std::uint32_t rank = 0; rank < folder.picks.size(); ++rank)
    rank_of[folder.picks[rank].item] = rank + 1;
  const auto whole = [&](auto of) {
    std::vector<std::uint32_t> values;
    values.reserve(map.items.size());
    for (std::size_t at = 0; at < map.items.size(); ++at) values.push_back(of(at));
    return whole_column(values);
  };
  out["pick"] = whole([&](std::size_t at) { return rank_of[map.items[at]]; });
  out["stands"] = nullptr;
  if (!map.stands_for.empty()) out["stands"] = whole([&](std::size_t at) { return map.stands_for[at] + 1; });
  out["labelled"] = nullptr;
  if (!inputs.labelled.empty()) {
    std::vector<std::uint8_t> is_labelled(folder.items(), 0);
    for (const Item item : inputs.labelled) is_labelled[item] = 1;
    out["labelled"] = whole([&](std::size_t at) { return std::uint32_t{is_labelled[map.items[at]]}; });
  }
  for (const char* name : {"class", "uncertainty", "boundary"}) out[name] = nullptr;
  if (inputs.probabilities.empty()) return out;
  const SelectOptions options = options_of(folder);
  const Predictions predictions =
      read_predictions(inputs.probabilities, options.objective.uncertainty, run, 1);
  const auto places = boundary_places(folder);
  out["class"] = whole([&](std::size_t at) { return predictions.best[map.items[at]]; });
  out["uncertainty"] = whole([&](std::size_t at) {
    return static_cast<std::uint32_t>(std::lround(255 * predictions.uncertainty()[map.items[at]]));
  });
  out["boundary"] = whole([&](std::size_t at) {
    const Item item = map.items[at];
    if (predictions.margin[item] <= options.balance.tau) return 0U;
    const auto pair = std::minmax(predictions.best[item], predictions.second[item]);
    const auto found = places.find(Boundary(pair.first, pair.second));
    return found == places.end() ? 0U : found->second + 1;
  });
  return out;
}

PageJson thumbnails_section(const RunFolder& folder, const std::vector<std::uint32_t>& listed,
                            const Extremes& extremes, const std::string& images, std::size_t most,
                            const Run& run) {
  if (!folder.has_ids || !Thumbnails::possible()) return nullptr;
  std::vector<std::uint32_t> ranks = extremes.certain;
  ranks.insert(ranks.end(), extremes.uncertain.begin(), extremes.uncertain.end());
  ranks.insert(ranks.end(), listed.begin(), listed.end());
  std::vector<std::uint8_t> seen(folder.picks.size(), 0);
  std::erase_if(ranks, [&](std::uint32_t rank) { return std::exchange(seen[rank], 1) != 0; });
  ranks.resize(std::min(ranks.size(), most));
  std::vector<std::string> paths;
  paths.reserve(ranks.size());
  for (const std::uint32_t rank : ranks)
    paths.push_back((std::filesystem::path(images) / folder.picks[rank].id).string());
  const std::vector<std::string> pictures = Thumbnails().make(paths, run);
  PageJson out = PageJson::object();
  for (std::size_t at = 0; at < ranks.size(); ++at)
    if (!pictures[at].empty()) out[std::to_string(ranks[at])] = pictures[at];
  return out.empty() ? PageJson() : out;
}

}  // namespace pith

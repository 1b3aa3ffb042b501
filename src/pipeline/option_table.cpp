#include "pipeline/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "objective/registry.h"
#include "strategy/registry.h"

namespace pith {
namespace {

using Json = nlohmann::ordered_json;

const Choices<Metric> metrics{{{"cosine", Metric::cosine}, {"l2", Metric::l2}, {"l1", Metric::l1}}};
const Choices<Symmetry> symmetries{{{"union", Symmetry::either}, {"mutual", Symmetry::mutual}}};
const Choices<Knn> searches{
    {{"exact", Knn::exact}, {"approximate", Knn::approximate}, {"auto", Knn::automatic}}};
const Choices<Disagreement> disagreements{{{"vote", Disagreement::vote}, {"kl", Disagreement::kl}}};
const Choices<UncertaintyKind> uncertainties{{{"margin", UncertaintyKind::margin},
                                              {"entropy", UncertaintyKind::entropy},
                                              {"least-confidence", UncertaintyKind::least_confidence}}};
const Choices<Facility> facilities{{{"graph", Facility::graph}, {"dense", Facility::dense}}};
const Choices<Optimizer> optimizers{{{"lazy", Optimizer::lazy},
                                     {"naive", Optimizer::naive},
                                     {"stochastic", Optimizer::stochastic},
                                     {"threshold", Optimizer::threshold}}};
const Choices<Areas> area_kinds{{{"graph", Areas::graph}, {"exact", Areas::exact}}};
const Choices<TripleScale> scales{
    {{"max", TripleScale::max}, {"mean", TripleScale::mean}, {"none", TripleScale::none}}};
const Choices<BalanceKind> balances{{{"both", BalanceKind::both},
                                     {"class", BalanceKind::class_only},
                                     {"boundary", BalanceKind::boundary_only},
                                     {"none", BalanceKind::none}}};
const Choices<Shortfall> shortfalls{
    {{"relax", Shortfall::relax}, {"stop", Shortfall::stop}, {"error", Shortfall::error}}};
const Choices<bool> measures{{{"full", true}, {"light", false}}};

/// Where the data decide.
constexpr const char* automatic = "auto";

std::optional<std::array<double, 3>> parse_weights(const std::string& option, const std::string& text) {
  if (text == automatic) return std::nullopt;
  std::array<double, 3> weights{};
  std::size_t at = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++at) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (at == 3 || !parse_whole(text.substr(begin, comma - begin), weights[at]))
      reject(option, text, "write auto, or three numbers with commas between, such as 0.7,0.3,1");
    begin = comma + 1;
  }
  if (at != 3) reject(option, text, "write auto, or three numbers with commas between, such as 0.7,0.3,1");
  return weights;
}

/// "diversity=0.3" or "diversity=0.3,facility-location=1".
std::vector<TermWeight> parse_terms(const std::string& option, const std::string& text) {
  std::vector<TermWeight> terms;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, comma - begin);
    const std::size_t equals = std::min(one.find('='), one.size());
    double weight = 0;
    if (equals == one.size() || !parse_whole(one.substr(equals + 1), weight))
      reject(option, one, "write a term and its weight, such as diversity=0.3");
    terms.push_back({find_term(one.substr(0, equals)).name, weight});
    begin = comma + 1;
  }
  return terms;
}

std::string term_help() {
  std::string help = "f as a sum of these, each given once, instead of --lambda:";
  for (const TermSpec& term : terms()) help += fmt::format("\n  {:<19}{}", term.name, term.summary);
  return help;
}

bool looks_like_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789") == std::string::npos;
}

template <class Cap>
Cap parse_cap(const std::string& option, const std::string& text) {
  if (text == "uniform") return UniformCap{};
  if constexpr (std::is_same_v<Cap, BoundaryCap>)
    if (text == "proportional") return ProportionalCap{};
  if (looks_like_number(text)) return FixedCap{parse_integer(option, text)};
  if (text.empty()) reject(option, text, "write a number, a rule or a file");
  return CapFile{text};
}

template <class Cap>
Json cap_json(const Cap& cap) {
  if (const auto* fixed = std::get_if<FixedCap>(&cap)) return fixed->cap;
  if (const auto* file = std::get_if<CapFile>(&cap)) return file->path.string();
  if constexpr (std::is_same_v<Cap, BoundaryCap>)
    if (std::holds_alternative<ProportionalCap>(cap)) return "proportional";
  return "uniform";
}

std::optional<double> parse_or_auto(const std::string& option, const std::string& text) {
  double value = 0;
  if (text == automatic) return std::nullopt;
  if (!parse_whole(text, value)) reject(option, text, "write a number, or auto");
  return value;
}

Json or_auto(const std::optional<double>& value) {
  return value ? Json(*value) : Json(automatic);
}

std::string strategy_help() {
  std::string help = "how to choose (the first, unless told otherwise):";
  for (const Strategy& strategy : strategies())
    help += fmt::format("\n  {:<18}{}", strategy.name, strategy.summary);
  return help;
}

std::vector<OptionSpec> make_specs() {
  using O = SelectOptions;
  using S = const std::string&;
  return {
      {"budget", "N|P%", "how many items to choose: a count, or a share of all of them", "What to choose",
       [](O& o, S v) { o.budget = parse_budget("budget", v); },
       [](const O& o) -> Json {
         if (o.cost_budget) return nullptr;
         if (const auto* count = std::get_if<std::int64_t>(&o.budget.amount)) return *count;
         return fmt::format("{:.15g}%", std::get<double>(o.budget.amount) * 100);
       }},
      {"strategy", "NAME", strategy_help(), "What to choose",
       [](O& o, S v) { o.strategy = find_strategy(v).name; }, [](const O& o) -> Json { return o.strategy; }},
      {"seed", "N", "for the strategies that draw: the same seed, the same subset", "What to choose",
       [](O& o, S v) {
         if (!parse_whole(v, o.seed)) reject("seed", v, "write a whole number from 0 up");
       },
       [](const O& o) -> Json { return o.seed; }},
      {"budget-cost", "X",
       "instead of --budget: the most that the picks' --costs may sum to; no caps, greedy\nstrategies only",
       "What to choose", [](O& o, S v) { o.cost_budget = parse_number("budget-cost", v); },
       [](const O& o) -> Json { return o.cost_budget ? Json(*o.cost_budget) : Json(nullptr); }},
      {"optimizer", "lazy|naive|stochastic|threshold",
       "how a greedy on f finds its picks: lazy and naive exactly; stochastic from samples;\nthreshold takes "
       "what is near enough to the best",
       "What to choose", [](O& o, S v) { o.greedy.optimizer = optimizers.parse("optimizer", v); },
       [](const O& o) -> Json { return optimizers.name(o.greedy.optimizer); }},
      {"stochastic-epsilon", "E", "what the stochastic optimizer may lose on average, in (0,1)",
       "What to choose",
       [](O& o, S v) { o.greedy.stochastic_epsilon = parse_number("stochastic-epsilon", v); },
       [](const O& o) -> Json { return o.greedy.stochastic_epsilon; }},
      {"threshold-epsilon", "E", "what a pick of the threshold optimizer may lose, from 1e-6 to below 1",
       "What to choose", [](O& o, S v) { o.greedy.threshold_epsilon = parse_number("threshold-epsilon", v); },
       [](const O& o) -> Json { return o.greedy.threshold_epsilon; }},
      {"measure", "full|light",
       "full: objective and certificate for every strategy; light: no graph, and nothing\nmeasured on it, "
       "where the strategy needs none",
       "What to choose", [](O& o, S v) { o.measure = measures.parse("measure", v); },
       [](const O& o) -> Json { return measures.name(o.measure); }},
      {"neighbors", "K", "neighbours listed per item (10, or all others where there are fewer)", "Graph",
       [](O& o, S v) {
         const std::int64_t count = parse_integer("neighbors", v);
         if (count < 0 || count > std::int64_t{0xffffffff})
           reject("neighbors", v, "write a number from 1 up");
         o.graph.neighbors = static_cast<std::uint32_t>(count);
       },
       [](const O& o) -> Json { return o.graph.neighbors ? Json(*o.graph.neighbors) : Json(nullptr); }},
      {"metric", "cosine|l2|l1", "how far apart two embeddings are", "Graph",
       [](O& o, S v) { o.graph.metric = metrics.parse("metric", v); },
       [](const O& o) -> Json { return metrics.name(o.graph.metric); }},
      {"symmetry", "union|mutual", "an edge if either item lists the other, or only if both do", "Graph",
       [](O& o, S v) { o.graph.symmetry = symmetries.parse("symmetry", v); },
       [](const O& o) -> Json { return symmetries.name(o.graph.symmetry); }},
      {"knn", "exact|approximate|auto",
       "how to search; auto: exact up to about a minute of work, and says why", "Graph",
       [](O& o, S v) { o.graph.knn = searches.parse("knn", v); },
       [](const O& o) -> Json { return searches.name(o.graph.knn); }},
      {"recall", "R", "least recall of an approximate graph, met with 95% confidence", "Graph",
       [](O& o, S v) { o.graph.recall = parse_number("recall", v); },
       [](const O& o) -> Json { return o.graph.recall; }},
      {"memory", "SIZE",
       "most memory to take beyond the mapped inputs, such as 500M or 4G; the plan is shown first, "
       "and\nrefused with "
       "the least that will do where it cannot work",
       "Graph", [](O& o, S v) { o.graph.memory_bytes = parse_size("memory", v); },
       [](const O& o) -> Json { return o.graph.memory_bytes ? Json(*o.graph.memory_bytes) : Json(nullptr); }},
      {"uncertainty", "margin|entropy|least-confidence", "which uncertainty f counts", "Objective",
       [](O& o, S v) { o.objective.uncertainty = uncertainties.parse("uncertainty", v); },
       [](const O& o) -> Json { return uncertainties.name(o.objective.uncertainty); }},
      {"lambda", "auto|L1,L2,L3",
       "weights of uncertainty, pairwise diversity and thin-triangle diversity; auto: 0.7,0.3,1; for\n"
       "submod-bal the first follows the budget and how much the model is unsure of",
       "Objective", [](O& o, S v) { o.objective.lambda = parse_weights("lambda", v); },
       [](const O& o) -> Json { return o.objective.lambda ? Json(*o.objective.lambda) : Json(automatic); }},
      {"term", "NAME=WEIGHT", term_help(), "Objective",
       [](O& o, S v) { o.objective.terms = parse_terms("term", v); },
       [](const O& o) -> Json {
         if (o.objective.terms.empty()) return nullptr;
         Json list = Json::array();
         for (const TermWeight& term : o.objective.terms)
           list.push_back(fmt::format("{}={}", term.name, term.weight));
         return list;
       },
       true},
      {"graph-cut-lambda", "L", "redundancy weight of the graph-cut term, in [0,0.5]", "Objective",
       [](O& o, S v) { o.objective.graph_cut_lambda = parse_number("graph-cut-lambda", v); },
       [](const O& o) -> Json { return o.objective.graph_cut_lambda; }},
      {"facility", "graph|dense",
       "facility location on the graph's edges, or on all pairs (4 bytes a pair, up to\n--memory, or 4G)",
       "Objective", [](O& o, S v) { o.objective.facility = facilities.parse("facility", v); },
       [](const O& o) -> Json { return facilities.name(o.objective.facility); }},
      {"gamma", "auto|G",
       "pairwise penalty, in [0,1]; auto: lowered where the budget exceeds what the model is unsure of",
       "Objective", [](O& o, S v) { o.objective.gamma = parse_or_auto("gamma", v); },
       [](const O& o) -> Json { return or_auto(o.objective.gamma); }},
      {"eta", "H", "thin-triangle penalty, in [0,1]", "Objective",
       [](O& o, S v) { o.objective.eta = parse_number("eta", v); },
       [](const O& o) -> Json { return o.objective.eta; }},
      {"area-threshold", "A", "triangles of a smaller area are thin; instead of the quantile", "Objective",
       [](O& o, S v) { o.objective.area_threshold = parse_number("area-threshold", v); },
       [](const O& o) -> Json {
         return o.objective.area_threshold ? Json(*o.objective.area_threshold) : Json(nullptr);
       }},
      {"areas", "graph|exact", "areas from the graph's side lengths, or from the embeddings", "Objective",
       [](O& o, S v) { o.objective.areas = area_kinds.parse("areas", v); },
       [](const O& o) -> Json { return area_kinds.name(o.objective.areas); }},
      {"clique-size", "3|4", "penalise thin triangles, or flat sets of four (by volume)", "Objective",
       [](O& o, S v) {
         const std::int64_t size = parse_integer("clique-size", v);
         if (size != 3 && size != 4) reject("clique-size", v, "choose 3 or 4");
         o.objective.clique_size = static_cast<std::uint32_t>(size);
       },
       [](const O& o) -> Json { return o.objective.clique_size; }},
      {"area-quantile", "Q", "the share of all triangles that is thin", "Objective",
       [](O& o, S v) { o.objective.area_quantile = parse_number("area-quantile", v); },
       [](const O& o) -> Json { return o.objective.area_quantile; }},
      {"triple-scale", "max|mean|none",
       "what the triple term is divided by: the largest or the mean triangle count, "
       "or nothing (literal)",
       "Objective", [](O& o, S v) { o.objective.triple_scale = scales.parse("triple-scale", v); },
       [](const O& o) -> Json { return scales.name(o.objective.triple_scale); }},
      {"balance", "both|class|boundary|none", "which caps hold (default: what the strategy is known for)",
       "Balance", [](O& o, S v) { o.balance.balance = balances.parse("balance", v); },
       [](const O& o) -> Json {
         return o.balance.balance ? Json(balances.name(*o.balance.balance)) : Json(nullptr);
       }},
      {"tau", "T", "an item belongs to a decision boundary if its margin score exceeds this", "Balance",
       [](O& o, S v) { o.balance.tau = parse_number("tau", v); },
       [](const O& o) -> Json { return o.balance.tau; }},
      {"boundaries-per-item", "M",
       "an item belongs to the boundaries of its best class with the M next best; beyond 1 no\nmaximum flow "
       "decides what fits",
       "Balance",
       [](O& o, S v) {
         const std::int64_t count = parse_integer("boundaries-per-item", v);
         if (count < 1 || count > 16) reject("boundaries-per-item", v, "choose 1 to 16");
         o.balance.boundaries_per_item = static_cast<std::uint32_t>(count);
       },
       [](const O& o) -> Json { return o.balance.boundaries_per_item; }},
      {"class-cap", "N|FILE",
       "most items per class: the same for all, or a CSV of class,cap; uniform is an equal share", "Balance",
       [](O& o, S v) { o.balance.class_cap = parse_cap<ClassCap>("class-cap", v); },
       [](const O& o) -> Json { return cap_json(o.balance.class_cap); }},
      {"class-slack", "auto|F",
       "factor of the uniform class cap, at least 1; auto: 1; for submod-bal more where equal caps "
       "cannot\nbe met and the budget exceeds what the model is unsure of",
       "Balance", [](O& o, S v) { o.balance.class_slack = parse_or_auto("class-slack", v); },
       [](const O& o) -> Json { return or_auto(o.balance.class_slack); }},
      {"boundary-cap", "uniform|proportional|N|FILE",
       "most items per boundary: one for all, the paper's shares, a number, or a CSV of "
       "class,class,cap",
       "Balance", [](O& o, S v) { o.balance.boundary_cap = parse_cap<BoundaryCap>("boundary-cap", v); },
       [](const O& o) -> Json { return cap_json(o.balance.boundary_cap); }},
      {"boundary-slack", "F", "factor of the uniform boundary cap, at least 1", "Balance",
       [](O& o, S v) { o.balance.boundary_slack = parse_number("boundary-slack", v); },
       [](const O& o) -> Json { return o.balance.boundary_slack; }},
      {"shortfall", "relax|stop|error",
       "when the caps cannot meet the budget: raise them by the least that does, "
       "choose fewer, or refuse",
       "Balance", [](O& o, S v) { o.balance.shortfall = shortfalls.parse("shortfall", v); },
       [](const O& o) -> Json { return shortfalls.name(o.balance.shortfall); }},
      {"committee", "vote|kl", "committee: entropy of the models' votes, or mean divergence from their mean",
       "Single strategies", [](O& o, S v) { o.special.committee = disagreements.parse("committee", v); },
       [](const O& o) -> Json { return disagreements.name(o.special.committee); }},
      {"similarity", "S", "dedup: items at least this similar are duplicates, in [0,1]", "Single strategies",
       [](O& o, S v) { o.special.similarity = parse_number("similarity", v); },
       [](const O& o) -> Json { return o.special.similarity; }},
      {"spread", "W", "gist: weight of the smallest distance between two picks", "Single strategies",
       [](O& o, S v) { o.special.spread = parse_number("spread", v); },
       [](const O& o) -> Json { return o.special.spread; }},
      {"quality", "Q", "dpp: an item's quality is exp(Q times its uncertainty)", "Single strategies",
       [](O& o, S v) { o.special.quality = parse_number("quality", v); },
       [](const O& o) -> Json { return o.special.quality; }},
      {"radius", "R",
       "prob-cover: how far a pick's ball reaches (default: the largest with 95% of balls pure)",
       "Single strategies", [](O& o, S v) { o.special.radius = parse_number("radius", v); },
       [](const O& o) -> Json { return o.special.radius ? Json(*o.special.radius) : Json(nullptr); }},
  };
}

}  // namespace

std::string help_with_default(const OptionSpec& spec) {
  const Json value = spec.get(SelectOptions{});
  // The budget has no default on the command line, and the strategies' list says which is first.
  if (value.is_null() || spec.name == "budget" || spec.name == "strategy") return spec.help;
  return fmt::format("{} [{}]", spec.help, value.is_string() ? value.get<std::string>() : value.dump());
}

const std::vector<OptionSpec>& select_option_specs() {
  static const std::vector<OptionSpec> specs = make_specs();
  return specs;
}

}  // namespace pith

#include "pipeline/unused_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "objective/objective.h"
#include "pipeline/check_input.h"
#include "pipeline/compare.h"
#include "pipeline/option_table.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// What decides whether an option has a say.
struct Facts {
  Facts(const GivenTexts& given, const SelectOptions& settled)
      : options(settled), strategy(find_strategy(settled.strategy)) {
    const BalanceKind balance = settled.balance.balance.value_or(strategy.default_balance);
    class_caps = balance == BalanceKind::both || balance == BalanceKind::class_only;
    boundary_caps = balance == BalanceKind::both || balance == BalanceKind::boundary_only;
    const auto way = given.find("distributed");
    draws = strategy.uses_seed || options.greedy.optimizer == Optimizer::stochastic ||
            (way != given.end() && way->second == "bounding");
    const auto kind = given.find("uncertainty");
    if (kind == given.end()) return;
    SelectOptions asked;
    for (const OptionSpec& spec : select_option_specs())
      if (spec.name == "uncertainty") spec.set(asked, kind->second);
    other_uncertainty = asked.objective.uncertainty != settled.objective.uncertainty;
  }

  [[nodiscard]] bool has_term(std::string_view name) const {
    const auto& terms = options.objective.terms;
    return std::any_of(terms.begin(), terms.end(), [&](const TermWeight& term) { return term.name == name; });
  }

  /// Triples of the graph, or sets of four.
  [[nodiscard]] bool has_cliques() const {
    const ObjectiveOptions& objective = options.objective;
    if (strategy.drops_triples && objective.terms.empty() && !objective.lambda) return false;
    const auto all = terms_of(objective);
    return std::any_of(all.begin(), all.end(), [](const TermWeight& term) {
      return term.weight != 0 && (term.name == "triples" || term.name == "quads");
    });
  }

  const SelectOptions& options;
  const Strategy& strategy;
  bool draws = false;  ///< by the seed
  bool class_caps = false;
  bool boundary_caps = false;
  bool other_uncertainty = false;  ///< than the one it was asked to look at
};

/// Why an option has no say; empty: it has.
struct Rule {
  const char* option;
  std::string (*idle)(const Facts& facts);
};

template <class Wanted>
std::string only_for(bool used, const Wanted& wanted) {
  return used ? "" : fmt::format("it is for {}", wanted);
}

std::string only_with_cliques(const Facts& facts) {
  return facts.has_cliques() ? "" : "neither triples nor quads weigh anything in f";
}

const Rule rules[] = {
    {"seed", [](const Facts& f) -> std::string { return f.draws ? "" : "nothing is drawn here"; }},
    {"uncertainty",
     [](const Facts& f) -> std::string {
       return f.other_uncertainty ? fmt::format("strategy {} ranks by its own kind", f.strategy.name) : "";
     }},
    {"lambda",
     [](const Facts& f) -> std::string {
       return f.options.objective.terms.empty()
                  ? ""
                  : fmt::format("strategy {} has a term of its own", f.strategy.name);
     }},
    {"clique-size",
     [](const Facts& f) -> std::string {
       return f.options.objective.terms.empty() ? "" : "the terms are listed";
     }},
    {"area-quantile",
     [](const Facts& f) -> std::string {
       // Volumes have no threshold of their own.
       return f.options.objective.area_threshold && !f.has_term("quads") ? "--area-threshold decides" : "";
     }},
    {"eta", only_with_cliques},
    {"triple-scale", only_with_cliques},
    {"facility",
     [](const Facts& f) -> std::string {
       return only_for(f.has_term("facility-location"), "the term facility-location");
     }},
    {"graph-cut-lambda",
     [](const Facts& f) -> std::string { return only_for(f.has_term("graph-cut"), "the term graph-cut"); }},
    {"recall",
     [](const Facts& f) -> std::string {
       return f.options.graph.knn == Knn::exact ? "an exact graph has all" : "";
     }},
    {"class-cap",
     [](const Facts& f) -> std::string { return f.class_caps ? "" : "no class caps hold here"; }},
    {"class-slack",
     [](const Facts& f) -> std::string {
       if (!f.class_caps) return "no class caps hold here";
       return std::holds_alternative<FixedCap>(f.options.balance.class_cap)
                  ? "--class-cap is one number for all"
                  : "";
     }},
    {"boundary-cap",
     [](const Facts& f) -> std::string { return f.boundary_caps ? "" : "no boundary caps hold here"; }},
    {"boundary-slack",
     [](const Facts& f) -> std::string {
       const BoundaryCap& cap = f.options.balance.boundary_cap;
       if (!f.boundary_caps) return "no boundary caps hold here";
       if (std::holds_alternative<FixedCap>(cap)) return "--boundary-cap is one number for all";
       return std::holds_alternative<ProportionalCap>(cap) ? "proportional caps have no factor" : "";
     }},
    {"shortfall",
     [](const Facts& f) -> std::string {
       return f.class_caps || f.boundary_caps ? "" : "no caps hold here";
     }},
    {"stochastic-epsilon",
     [](const Facts& f) -> std::string {
       return only_for(f.options.greedy.optimizer == Optimizer::stochastic, "--optimizer stochastic");
     }},
    {"threshold-epsilon",
     [](const Facts& f) -> std::string {
       return only_for(f.options.greedy.optimizer == Optimizer::threshold, "--optimizer threshold");
     }},
    {"committee",
     [](const Facts& f) -> std::string {
       return only_for(f.strategy.name == "committee", "strategy committee");
     }},
    {"similarity",
     [](const Facts& f) -> std::string { return only_for(f.strategy.name == "dedup", "strategy dedup"); }},
    {"spread",
     [](const Facts& f) -> std::string { return only_for(f.strategy.name == "gist", "strategy gist"); }},
    {"quality",
     [](const Facts& f) -> std::string { return only_for(f.strategy.name == "dpp", "strategy dpp"); }},
    {"radius",
     [](const Facts& f) -> std::string {
       return only_for(f.strategy.name == "prob-cover", "strategy prob-cover");
     }},
};

}  // namespace

std::vector<UnusedOption> find_unused(const GivenTexts& given, const SelectOptions& settled) {
  const Facts facts(given, settled);
  std::vector<UnusedOption> unused;
  for (const Rule& rule : rules) {
    if (!given.contains(rule.option)) continue;
    if (std::string because = rule.idle(facts); !because.empty())
      unused.push_back({rule.option, std::move(because)});
  }
  return unused;
}

std::vector<UnusedOption> find_unused_by_all(const GivenTexts& given, const SelectOptions& options,
                                             std::span<const std::string> strategies) {
  // f, by which all are measured, looks at what submod does, and at triples.
  SelectOptions measuring = options;
  measuring.strategy = "submod";
  measuring = effective_options(std::move(measuring));
  measuring.objective.lambda = options.objective.lambda.value_or(ObjectiveOptions::usual_lambda);
  std::vector<UnusedOption> unused = find_unused(given, measuring);
  for (const std::string& name : strategies) {
    const std::vector<UnusedOption> own =
        find_unused(given, effective_options(options_beside_others(options, name)));
    std::erase_if(unused, [&](const UnusedOption& option) {
      return std::none_of(own.begin(), own.end(),
                          [&](const UnusedOption& other) { return other.name == option.name; });
    });
  }
  return unused;
}

}  // namespace pith

#include "pipeline/given_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/text.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "strategy/registry.h"

namespace pith {
namespace {

SelectOptions start_from_preset(const GivenTexts& given) {
  const auto found = given.find("preset");
  const std::string preset = found == given.end() ? "default" : found->second;
  if (preset == "paper") return paper_preset();
  if (preset == "default") return {};
  throw Error(ErrorKind::bad_option, fmt::format("--preset: '{}' given; choose default or paper", preset));
}

void require_one_budget(const GivenTexts& given) {
  const bool items = given.contains("budget");
  const bool cost = given.contains("budget-cost");
  if (items && cost)
    throw Error(ErrorKind::bad_option, "--budget-cost: give a budget of items or one of costs, not both");
  if (cost != given.contains("costs"))
    throw Error(ErrorKind::bad_option, "--costs and --budget-cost belong together; give both or neither");
  if (!items && !cost)
    throw Error(ErrorKind::bad_option,
                "--budget is missing; say how many to choose: --budget 5000 or --budget 10%");
}

void refuse_options_of_built_graphs(const GivenTexts& given) {
  for (const OptionSpec& spec : select_option_specs())
    if (spec.group == "Graph" && spec.name != "memory" && given.contains(spec.name))
      throw Error(
          ErrorKind::bad_option,
          fmt::format("--{}: a saved graph has its own; leave it out, or leave out --graph", spec.name));
}

}  // namespace

SelectOptions read_given_options(const GivenTexts& given) {
  SelectOptions options = start_from_preset(given);
  for (const OptionSpec& spec : select_option_specs())
    if (const auto found = given.find(spec.name); found != given.end()) spec.set(options, found->second);
  require_one_budget(given);
  if (given.contains("graph")) refuse_options_of_built_graphs(given);
  if (given.contains("term") && given.contains("lambda"))
    throw Error(ErrorKind::bad_option, "--term: gives the weights of all terms; leave out --lambda");
  const auto& terms = options.objective.terms;
  if (given.contains("scores") &&
      std::none_of(terms.begin(), terms.end(), [](const TermWeight& term) { return term.name == "scores"; }))
    throw Error(ErrorKind::bad_option, "--scores: no term uses them; add --term scores=WEIGHT");
  return options;
}

SelectOptions settle_given_options(const GivenTexts& given, const SelectOptions& options) {
  SelectOptions settled = effective_options(options);
  const BalanceKind balance = *settled.balance.balance;
  // Who says --balance knows which caps hold; who does not would never learn that a cap was ignored.
  const auto refuse_idle = [&](const char* cap, BalanceKind own, const char* name) {
    if (given.contains(cap) && !given.contains("balance") && balance != own && balance != BalanceKind::both)
      throw Error(
          ErrorKind::bad_option,
          fmt::format(
              "--{}: strategy {} runs without {} caps here; add --balance {} or both, or leave it out", cap,
              settled.strategy, name, name));
  };
  refuse_idle("class-cap", BalanceKind::class_only, "class");
  refuse_idle("boundary-cap", BalanceKind::boundary_only, "boundary");
  return settled;
}

GraphOptions read_graph_options(const GivenTexts& given) {
  SelectOptions options;
  for (const OptionSpec& spec : select_option_specs())
    if (const auto found = given.find(spec.name); spec.group == "Graph" && found != given.end())
      spec.set(options, found->second);
  const std::vector<std::string> problems = options.graph.check();
  if (!problems.empty()) throw Error(ErrorKind::bad_option, fmt::format("{}", fmt::join(problems, "; ")));
  return options.graph;
}

std::vector<std::string> read_strategy_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view word = trimmed(std::string_view(text).substr(begin, comma - begin));
    const std::string name(find_strategy(word, "strategies").name);
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw Error(ErrorKind::bad_option, fmt::format("--strategies: {} given twice; name it once", name));
    names.push_back(name);
    begin = comma + 1;
  }
  return names;
}

unsigned read_threads(const GivenTexts& given) {
  const auto found = given.find("threads");
  if (found == given.end()) return 0;
  const std::int64_t count = parse_integer("threads", found->second);
  if (count < 1 || count > 4096)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("--threads: {} given; write a number from 1 to 4096, or leave it out for all cores",
                    count));
  return static_cast<unsigned>(count);
}

}  // namespace pith

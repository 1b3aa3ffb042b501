#include "experiment/variant.h"

#include <fmt/format.h>

#include <cmath>

#include "base/suggest.h"
#include "constraint/cap_file.h"
#include "pipeline/given_options.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "pith/select.h"
#include "strategy/registry.h"

namespace pith::train {
namespace {

[[noreturn]] void refuse_variant(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::bad_option, fmt::format("--variant {}: {}", name, what));
}

std::string with_quotes(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t'\"") == std::string::npos) return word;
  const char mark = word.find('\'') == std::string::npos ? '\'' : '"';
  return mark + word + mark;
}

/// Pairs of an option's name and its value, from "--gamma 0.3" or "--gamma=0.3".
std::vector<std::pair<std::string, std::string>> pair_up(const std::vector<std::string>& words,
                                                         const std::string& name) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (!words[at].starts_with("--"))
      refuse_variant(
          name, fmt::format("'{}' does not belong here; write options as in 'mine=submod-bal --gamma 0.3'",
                            words[at]));
    const std::size_t sign = words[at].find('=');
    if (sign != std::string::npos) {
      pairs.emplace_back(words[at].substr(2, sign - 2), words[at].substr(sign + 1));
    } else if (at + 1 < words.size()) {
      pairs.emplace_back(words[at].substr(2), words[at + 1]);
      ++at;
    } else {
      refuse_variant(name, words[at] + " needs a value after it");
    }
  }
  return pairs;
}

bool set_by_the_experiment(const std::string& option) {
  return option == "budget" || option == "budget-cost" || option == "seed";
}

const OptionSpec& spec_of(const std::string& option, const std::string& name) {
  std::vector<std::string_view> names = {"temperature", "preset"};
  for (const OptionSpec& spec : select_option_specs()) {
    if (spec.name == option && !set_by_the_experiment(option)) return spec;
    names.push_back(spec.name);
  }
  if (set_by_the_experiment(option))
    refuse_variant(name, fmt::format("--{} is the experiment's to set; leave it out", option));
  const std::string nearest = nearest_word(option, names);
  refuse_variant(name, fmt::format("unknown option '--{}'{}; see pith select --help", option,
                                   nearest.empty() ? "" : ", did you mean '--" + nearest + "'?"));
}

}  // namespace

std::vector<std::string> split_words(const std::string& text, const std::string& option) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t') {
      if (inside) words.push_back(word);
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0)
    throw Error(ErrorKind::bad_option, fmt::format("--{}: a quote in '{}' is not closed", option, text));
  if (inside) words.push_back(word);
  return words;
}

Variant parse_variant(const std::string& text) {
  // A name ends at the first '='; one that comes after a blank belongs to an option.
  const std::size_t sign = text.find('=');
  const bool named =
      sign != std::string::npos && sign > 0 && text.find_first_of(" \t") > sign && !text.starts_with("--");
  if (const std::string before = text.substr(0, sign); !named && sign != std::string::npos &&
                                                       before.find_first_of(" \t") != std::string::npos &&
                                                       before.find("--") == std::string::npos)
    refuse_variant(fmt::format("'{}'", before),
                   "a name has no blanks; write as in 'my-own=submod-bal --gamma 0.3'");
  Variant variant{.name = named ? text.substr(0, sign) : text, .options = {}};
  std::vector<std::string> words = split_words(named ? text.substr(sign + 1) : text, "variant");
  if (words.empty()) refuse_variant(text, "names no strategy; write as in 'mine=submod-bal --gamma 0.3'");
  if (variant.name == full_name)
    refuse_variant(text,
                   fmt::format("'{}' is the name of training on everything; choose another", full_name));
  if (!words.front().starts_with("--")) words.insert(words.begin(), "--strategy");
  for (const auto& [option, value] : pair_up(words, variant.name))
    variant.options +=
        fmt::format("{}--{} {}", variant.options.empty() ? "" : " ", option, with_quotes(value));
  for (const char* control : control_names)
    if (variant.name == control && variant.options != fmt::format("--strategy {}", control))
      refuse_variant(control,
                     "the verdict compares all others with the strategy of this name; choose another");
  static_cast<void>(parse_variant_options(variant));
  return variant;
}

VariantOptions parse_variant_options(const Variant& variant) {
  const auto pairs = pair_up(split_words(variant.options, "variant"), variant.name);
  VariantOptions out;
  GivenTexts given = {{"budget", "1"}};  // the experiment sets it later
  for (const auto& [option, value] : pairs) {
    if (option == "temperature") {
      out.temperature = parse_number("temperature", value);
      if (!(out.temperature > 0) || !std::isfinite(out.temperature))
        refuse_variant(variant.name, fmt::format("--temperature: {} given; it must be above 0", value));
      continue;
    }
    const bool repeatable = option != "preset" && spec_of(option, variant.name).repeatable;
    const auto [at, is_new] = given.emplace(option, value);
    if (!is_new && !repeatable)
      refuse_variant(variant.name, fmt::format("--{} is given twice; leave one out", option));
    if (!is_new) at->second += "," + value;
  }
  out.select = read_given_options(given);
  const SelectOptions effective = settle_given_options(given, out.select);
  if (find_strategy(effective.strategy).needs_models > 1)
    refuse_variant(variant.name, fmt::format("strategy '{}' compares models, and a trial has one seed model; "
                                             "leave it out",
                                             effective.strategy));
  for (const TermWeight& term : effective.objective.terms)
    if (term.name == "scores")
      refuse_variant(variant.name, "--term: an experiment has no scores; leave that term out");
  return out;
}

void check_cap_files(const Variant& variant, std::uint32_t classes) {
  const BalanceOptions balance = parse_variant_options(variant).select.balance;
  if (const auto* file = std::get_if<CapFile>(&balance.class_cap))
    static_cast<void>(read_class_caps(file->path, classes));
  if (const auto* file = std::get_if<CapFile>(&balance.boundary_cap))
    static_cast<void>(read_boundary_caps(file->path, classes));
}

}  // namespace pith::train

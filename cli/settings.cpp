#include "settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/suggest.h"
#include "pipeline/option_values.h"
#include "pith/error.h"

namespace pith::cli {
namespace {

std::string scalar_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  if (const auto* list = node.as_array()) {
    std::string text;
    for (const toml::node& element : *list) text += (text.empty() ? "" : ",") + scalar_text(element);
    return text;
  }
  return {};
}

[[noreturn]] void fail(ErrorKind kind, const std::string& path, const toml::source_region& where,
                       const std::string& what) {
  throw Error(kind,
              fmt::format("{}: line {}, column {}: {}", path, where.begin.line, where.begin.column, what));
}

/// In the quotes that do not occur in it.
std::string quoted(const std::string& text) {
  const char mark = text.find('\'') == std::string::npos ? '\'' : '"';
  return mark + text + mark;
}

/// A value, a list of values, or tables of options by name: [variant.mine] gamma = 0.3 is "mine=--gamma 0.3".
bool add_list(const toml::node& node, std::vector<std::string>& out) {
  const auto add = [&](std::string text) {
    if (!text.empty()) out.push_back(std::move(text));
    return !out.empty();
  };
  if (const auto* list = node.as_array()) {
    for (const toml::node& element : *list)
      if (!element.is_value() || !add(scalar_text(element))) return false;
    return !out.empty();
  }
  const auto* tables = node.as_table();
  if (tables == nullptr) return add(scalar_text(node));
  for (const auto& [name, options] : *tables) {
    if (!options.is_table()) return false;
    std::string text = std::string(name.str()) + "=";
    for (const auto& [option, value] : *options.as_table())
      text +=
          fmt::format("{}--{} {}", text.back() == '=' ? "" : " ", option.str(), quoted(scalar_text(value)));
    out.push_back(std::move(text));
  }
  return !out.empty();
}

toml::table parse_config(const std::string& path) {
  std::ifstream file(path);
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  if (!file || is_folder)
    throw Error(ErrorKind::io, fmt::format("{}: cannot open the configuration file: {}", path,
                                           is_folder ? "it is a directory" : "check the path"));
  std::stringstream contents;
  contents << file.rdbuf();
  try {
    return toml::parse(contents.str(), path);
  } catch (const toml::parse_error& error) {
    const std::string what(error.description());
    const bool bare = what.find("could not determine value type") != std::string::npos;
    fail(ErrorKind::bad_option, path, error.source(),
         what + (bare ? "; texts stand in quotes, as in strategy = \"margin\""
                      : "; the file is TOML, with lines such as budget = \"10%\""));
  }
}

/// Options stand at the top or, before those, under the command's name. Entries are looked at in place,
/// because a copied node forgets its line.
std::vector<std::pair<std::string, const toml::node*>> entries_of(const toml::table& table,
                                                                  const std::string& command) {
  std::vector<std::pair<std::string, const toml::node*>> entries;
  if (const auto* own = table[command].as_table())
    for (const auto& [key, node] : *own) entries.emplace_back(key.str(), &node);
  for (const auto& [key, node] : table)
    if (key.str() != command || !node.is_table()) entries.emplace_back(key.str(), &node);
  return entries;
}

const Setting& find_setting(const std::vector<Setting>& settings, const std::string& name,
                            const std::string& path, const toml::node& node) {
  std::vector<std::string_view> names;
  for (const Setting& setting : settings) {
    if (setting.name == name) return setting;
    names.push_back(setting.name);
  }
  const std::string nearest = nearest_word(name, names);
  fail(ErrorKind::bad_option, path, node.source(),
       fmt::format("unknown option '{}'{}", name,
                   nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest)));
}

}  // namespace

void Settings::attach(CLI::App& app, const std::vector<Setting>& settings) {
  settings_ = settings;
  for (const Setting& setting : settings) {
    CLI::Option* option = nullptr;
    if (setting.flag) {
      option = app.add_flag("--" + setting.name, flags_[setting.name], setting.help);
    } else {
      const std::string name = setting.positional ? setting.name : "--" + setting.name;
      option = setting.repeated ? app.add_option(name, lists_[setting.name], setting.help)
                                : app.add_option(name, from_command_line_[setting.name], setting.help);
      option->type_name(setting.value_name);
      // A shell variable that is not set must not pass for an option that is not given.
      option->check(CLI::Validator(
          [](const std::string& value) {
            return value.empty() ? std::string("an empty value given; leave the option out or write one")
                                 : "";
          },
          ""));
      // One value each time, so that `--probs a b` stays the mistake it is.
      if (setting.repeated)
        option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      else
        option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    }
    option->group(setting.group);
  }
}

void Settings::gather(const std::string& command) {
  for (const auto& [name, value] : from_command_line_)
    if (!value.empty()) values_[name] = value;
  for (const auto& [name, values] : lists_)
    if (!values.empty()) values_[name] = fmt::format("{}", fmt::join(values, ","));
  if (const std::string path = text("config"); !path.empty()) read_config(path, command);
}

void Settings::read_config(const std::string& path, const std::string& command) {
  const toml::table table = parse_config(path);
  for (const auto& [name, entry] : entries_of(table, command)) {
    const toml::node& node = *entry;
    const Setting& known = find_setting(settings_, name, path, node);
    if (known.repeated) {
      // The command line wins as a whole: half a list from here and half from there would surprise.
      std::vector<std::string>& values = lists_[name];
      if (!values.empty()) continue;
      if (!add_list(node, values))
        fail(ErrorKind::bad_option, path, node.source(),
             fmt::format("option '{}' needs a value, a list of values, or tables of options", name));
      values_[name] = fmt::format("{}", fmt::join(values, ","));
      continue;
    }
    const std::string value = scalar_text(node);
    if (value.empty())
      fail(ErrorKind::bad_option, path, node.source(), fmt::format("option '{}' needs a plain value", name));
    if (known.flag) {
      if (value != "true" && value != "false")
        fail(ErrorKind::bad_option, path, node.source(), fmt::format("option '{}' is true or false", name));
      flags_[name] = flags_[name] || value == "true";
    } else {
      values_.emplace(name, value);
    }
  }
}

void Settings::set_default(const std::string& name, const std::vector<std::string>& values) {
  const auto known = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const Setting& setting) { return setting.name == name; });
  if (known == settings_.end() || has(name)) return;
  if (known->flag) {
    flags_[name] = true;
    return;
  }
  if (values.empty()) return;
  if (known->repeated) lists_[name] = values;
  values_[name] = fmt::format("{}", fmt::join(values, ","));
}

std::map<std::string, std::vector<std::string>> Settings::all_given() const {
  std::map<std::string, std::vector<std::string>> out;
  for (const Setting& setting : settings_) {
    if (setting.flag && flag(setting.name)) out[setting.name] = {};
    if (setting.flag || !has(setting.name)) continue;
    out[setting.name] = setting.repeated ? list(setting.name) : std::vector<std::string>{text(setting.name)};
  }
  return out;
}

bool Settings::has(const std::string& name) const {
  return values_.contains(name);
}

std::string Settings::text(const std::string& name, const std::string& otherwise) const {
  const auto found = values_.find(name);
  return found != values_.end() ? found->second : otherwise;
}

bool Settings::flag(const std::string& name) const {
  const auto found = flags_.find(name);
  return found != flags_.end() && found->second;
}

std::vector<std::string> Settings::list(const std::string& name) const {
  const auto found = lists_.find(name);
  return found != lists_.end() ? found->second : std::vector<std::string>{};
}

std::string Settings::required(const std::string& name, const std::string& remedy) const {
  if (has(name)) return text(name);
  const bool positional = std::any_of(settings_.begin(), settings_.end(), [&](const Setting& setting) {
    return setting.name == name && setting.positional;
  });
  throw Error(ErrorKind::bad_option,
              fmt::format("{}{} is missing; {}", positional ? "" : "--", name, remedy));
}

std::uint64_t Settings::whole(const std::string& name, std::uint64_t otherwise, std::int64_t least,
                              std::int64_t most) const {
  if (!has(name)) return otherwise;
  const std::int64_t value = parse_integer(name, text(name));
  if (value < least || value > most)
    throw Error(ErrorKind::bad_option,
                fmt::format("--{}: {} given; write a number from {} {}", name, value, least,
                            most == INT64_MAX ? "up" : fmt::format("to {}", most)));
  return static_cast<std::uint64_t>(value);
}

unsigned Settings::threads() const {
  return read_threads(values_);
}

}  // namespace pith::cli

#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pipeline/given_options.h"

namespace pith::cli {

/// One option of a command. Values are strings until the command reads them, so that the command line and a
/// TOML file go through the same parsers and fail with the same words.
struct Setting {
  std::string name;  ///< without dashes
  std::string value_name;
  std::string help;
  std::string group;
  bool flag = false;
  bool repeated = false;    ///< may be given many times; in a file, a list or a table of named tables
  bool positional = false;  ///< stands by itself, without its name
};

/// What was given, by name. The command line wins over the file.
class Settings {
 public:
  /// Registers the settings with a CLI11 command.
  void attach(CLI::App& app, const std::vector<Setting>& settings);
  /// To be called after parsing, before anything is asked for: takes what the command line gives and, with
  /// --config FILE, what only the file says. Options stand at the top of the file or in a table of the
  /// command's name.
  void gather(const std::string& command = "select");

  /// Gives a value to an option that was not given one; several to one that may be repeated, none to a flag.
  void set_default(const std::string& name, const std::vector<std::string>& values);
  /// What was given, in the form set_default() takes.
  [[nodiscard]] std::map<std::string, std::vector<std::string>> all_given() const;

  [[nodiscard]] bool has(const std::string& name) const;
  /// The value, or `otherwise`; several values with commas between.
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise = "") const;
  [[nodiscard]] bool flag(const std::string& name) const;
  /// All values of an option that may be repeated, in the order given. A table [NAME.key] of a file is
  /// "key=--option value ...".
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  /// The value of an option the command cannot do without.
  [[nodiscard]] std::string required(const std::string& name, const std::string& remedy) const;
  /// The value of an option that takes whole numbers from `least` to `most`, or `otherwise`.
  [[nodiscard]] std::uint64_t whole(const std::string& name, std::uint64_t otherwise, std::int64_t least = 0,
                                    std::int64_t most = INT64_MAX) const;
  [[nodiscard]] unsigned threads() const;
  /// Everything but flags, as the library reads it.
  [[nodiscard]] const GivenTexts& given() const { return values_; }

 private:
  void read_config(const std::string& path, const std::string& command);

  std::vector<Setting> settings_;
  std::map<std::string, std::string> from_command_line_;
  std::map<std::string, std::vector<std::string>> lists_;
  std::map<std::string, bool> flags_;
  GivenTexts values_;
};

}  // namespace pith::cli

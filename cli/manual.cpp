#include "manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "pipeline/outputs.h"

namespace pith::cli {
namespace {

/// Commands that are only announced here and described elsewhere take any option.
bool is_announced(const CLI::App& command) {
  return command.get_allow_extras();
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

struct OptionText {
  std::string name;    ///< "--budget", or "DIR" for what stands by itself
  std::string values;  ///< "5000|10%"; empty for a flag
  std::string help;
  std::string group;
  bool positional = false;
};

std::vector<OptionText> options_of(const CLI::App& command) {
  std::vector<OptionText> texts;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    OptionText text;
    text.positional = option->get_lnames().empty();
    text.values = option->get_items_expected_max() > 0 ? option->get_type_name() : "";
    text.name = text.positional ? text.values : "--" + option->get_lnames().front();
    text.help = option->get_description();
    text.group = option->get_group();
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> groups_of(const std::vector<OptionText>& options) {
  std::vector<std::string> groups;
  for (const OptionText& option : options)
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  return groups;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Text as roff takes it literally.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string man_title(const std::string& name, const std::string& summary) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH {} 1 \"\" \"pith {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(upper),
                     version(), roff(name), roff(summary));
}

/// The footer: examples, then a word on what comes out.
std::string man_footer(const CLI::App& app) {
  std::string out;
  bool literal = false;
  for (const std::string& line : lines_of(app.get_footer())) {
    const bool is_example = line.starts_with("  ");
    if (is_example != literal) out += is_example ? ".nf\n" : ".fi\n.PP\n";
    literal = is_example;
    out += line == "Examples:" ? ".SH EXAMPLES\n" : roff(line) + "\n";
  }
  return literal ? out + ".fi\n" : out;
}

std::string man_options(const CLI::App& command) {
  const std::vector<OptionText> options = options_of(command);
  std::string out = ".SH OPTIONS\n";
  for (const std::string& group : groups_of(options)) {
    out += fmt::format(".SS {}\n", roff(group));
    for (const OptionText& option : options) {
      if (option.group != group) continue;
      out += option.positional ? fmt::format(".TP\n.I {}\n", roff(option.name))
                               : fmt::format(".TP\n.B {}\n", roff(option.name));
      if (!option.positional && !option.values.empty()) {
        out.pop_back();
        out += fmt::format(" \\fI{}\\fR\n", roff(option.values));
      }
      std::string separator;
      for (const std::string& line : lines_of(option.help)) {
        out += separator + roff(line) + "\n";
        separator = ".br\n";
      }
    }
  }
  return out;
}

std::string exit_codes() {
  return ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n2\nbad option\n.TP\n3\nbad input\n.TP\n4\ninput or output "
         "failed\n"
         ".TP\n5\nthe caps cannot meet the budget (\\-\\-shortfall error)\n.TP\n130\ninterrupted\n";
}

std::string man_of_command(const CLI::App& command) {
  const std::string name = "pith-" + command.get_name();
  std::string usage;
  for (const OptionText& option : options_of(command))
    if (option.positional) usage += fmt::format(" \\fI{}\\fR", roff(option.name));
  return man_title(name, command.get_description()) +
         fmt::format(".SH SYNOPSIS\n.B pith {}\n[\\fIoptions\\fR]{}\n", roff(command.get_name()), usage) +
         man_options(command) + man_footer(command) + exit_codes() + ".SH SEE ALSO\n.BR pith (1)\n";
}

std::string man_of_all(const CLI::App& app) {
  std::string out =
      man_title("pith", "choose the small subset of a large dataset worth labelling or training on");
  out += ".SH SYNOPSIS\n.B pith\n\\fIcommand\\fR [\\fIoptions\\fR]\n.SH DESCRIPTION\n" +
         roff(app.get_description());
  out += "\n.SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app))
    out += fmt::format(".TP\n.BR pith\\-{} (1)\n{}\n", roff(command->get_name()),
                       roff(command->get_description()));
  return out + man_footer(app) + exit_codes();
}

/// One cell of a table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|')
      out += "\\|";
    else if (c == '\n')
      out += "<br>";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

std::string markdown_of_command(const CLI::App& command) {
  std::string out = fmt::format("## pith {}\n\n{}.\n", command.get_name(), command.get_description());
  const std::vector<OptionText> options = options_of(command);
  for (const std::string& group : groups_of(options)) {
    out += fmt::format("\n| {} | |\n| --- | --- |\n", group);
    for (const OptionText& option : options) {
      if (option.group != group) continue;
      const std::string shown =
          option.positional || option.values.empty() ? option.name : option.name + " " + option.values;
      out += fmt::format("| `{}` | {} |\n", cell(shown), cell(option.help));
    }
  }
  bool literal = false;
  out += "\n";
  for (const std::string& line : lines_of(command.get_footer())) {
    const bool is_example = line.starts_with("  ");
    if (is_example != literal) out += is_example ? "```\n" : "```\n\n";
    literal = is_example;
    if (line != "Examples:") out += (is_example ? line.substr(2) : line) + "\n";
  }
  return literal ? out + "```\n" : out;
}

std::string words_of_command(const CLI::App& command) {
  std::string out = fmt::format("{}\t\t\t{}\n", command.get_name(), command.get_description());
  if (is_announced(command)) return out;
  for (const OptionText& option : options_of(command))
    out += fmt::format("{}\t{}\t{}\t{}\n", command.get_name(), option.positional ? "" : option.name,
                       option.values, lines_of(option.help + "\n").front());
  return out;
}

}  // namespace

std::optional<std::string> manual(const CLI::App& app, const std::string& format) {
  constexpr std::string_view of_command = "man:";
  std::string out;
  if (format == "man") return man_of_all(app);
  for (const CLI::App* command : commands_of(app)) {
    if (format == "words") out += words_of_command(*command);
    if (is_announced(*command)) continue;
    if (format == "markdown") out += (out.empty() ? "" : "\n") + markdown_of_command(*command);
    if (format == std::string(of_command) + command->get_name()) return man_of_command(*command);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace pith::cli

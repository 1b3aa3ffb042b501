#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace pith::cli {

/// What is wrong with the command line, in the words of the other messages: names the option or command and
/// suggests the nearest known one.
[[nodiscard]] std::string parse_message(const CLI::App& app, const CLI::ParseError& error);

/// Says so where the first word names no command, whatever stands behind it (--help too).
[[nodiscard]] std::optional<std::string> unknown_command(const CLI::App& app);

}  // namespace pith::cli

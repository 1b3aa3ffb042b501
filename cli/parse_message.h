#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pith::cli {

/// What is wrong with the command line, in the words of the other messages: names the option or command and
/// suggests the nearest known one.
[[nodiscard]] std::string parse_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace pith::cli

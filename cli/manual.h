#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace pith::cli {

/// What `pith --manual FORMAT` prints, made from the descriptions that --help shows; nothing for an unknown
/// format:
///   man            the page pith(1)
///   man:COMMAND    the page pith-COMMAND(1)
///   markdown       the reference of all commands
///   words          for shell completion: command, option, values and help, tabs between
[[nodiscard]] std::optional<std::string> manual(const CLI::App& app, const std::string& format);

}  // namespace pith::cli

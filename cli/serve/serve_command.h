#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace pith::cli {

/// Adds the command and returns what runs it once the command line is parsed.
std::function<void()> add_serve(CLI::App& app);

}  // namespace pith::cli

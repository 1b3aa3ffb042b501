#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace pith::cli {

/// Each adds its command and returns what runs it once the command line is parsed.
std::function<void()> add_select(CLI::App& app);
std::function<void()> add_compare(CLI::App& app);
std::function<void()> add_graph(CLI::App& app);
std::function<void()> add_info(CLI::App& app);
std::function<void()> add_synth(CLI::App& app);
std::function<void()> add_report(CLI::App& app);
std::function<void()> add_export(CLI::App& app);
std::function<void()> add_import(CLI::App& app);
std::function<void()> add_round(CLI::App& app);

}  // namespace pith::cli

#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace pith::train {

/// Each adds its command and returns what runs it once the command line is parsed.
std::function<void()> add_train(CLI::App& app);
std::function<void()> add_embed(CLI::App& app);
std::function<void()> add_experiment(CLI::App& app);

}  // namespace pith::train

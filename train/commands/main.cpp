#include <CLI/CLI.hpp>

#include "commands/commands.h"
#include "pipeline/outputs.h"
#include "run_app.h"

/// pith becomes this program for the commands that need libtorch, so it speaks as pith does.
int main(int argc, char** argv) {
  CLI::App app{"The commands of pith that need libtorch.", "pith"};
  app.set_version_flag("--version", "pith " + pith::version());
  app.require_subcommand(0, 1);
  const pith::cli::Command commands[] = {{"train", pith::train::add_train(app)},
                                         {"embed", pith::train::add_embed(app)},
                                         {"experiment", pith::train::add_experiment(app)}};
  return pith::cli::run_app(app, argc, argv, commands);
}

#include <CLI/CLI.hpp>

#include "pipeline/outputs.h"
#include "run_app.h"
#include "serve_command.h"

/// pith becomes this program for serve, so it speaks as pith does.
int main(int argc, char** argv) {
  CLI::App app{"The command of pith that needs an HTTP server.", "pith"};
  app.set_version_flag("--version", "pith " + pith::version());
  app.require_subcommand(0, 1);
  const pith::cli::Command commands[] = {{"serve", pith::cli::add_serve(app)}};
  return pith::cli::run_app(app, argc, argv, commands);
}

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include "commands.h"
#include "graph/blas.h"
#include "other_programs.h"
#include "pipeline/outputs.h"
#include "rank_launch.h"
#include "run_app.h"

namespace {

/// pith help select is pith select --help, for the programs pith becomes too.
void understand_help(int argc, char** argv) {
  static char option[] = "--help";
  if (argc < 2 || argc > 3 || std::string_view(argv[1]) != "help") return;
  argv[1] = argv[argc - 1];
  argv[argc - 1] = option;
}

}  // namespace

int main(int argc, char** argv) {
  understand_help(argc, argv);
  pith::cli::hand_over_to_ranks(argv);
  pith::cli::hand_over(argv);
  pith::end_blas_threads(argv);
  CLI::App app{"Pith chooses, out of a large dataset, the small subset worth labelling or training on.",
               "pith"};
  app.set_version_flag("--version", "pith " + pith::version());
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n"
      "  pith synth --items 20000 --classes 10 --long-tail 100 --out toy\n"
      "  pith select --embeddings toy/embeddings.npy --probs toy/probs.npy --budget 10% --out chosen\n"
      "  pith report chosen\n"
      "  pith info --embeddings toy/embeddings.npy --probs toy/probs.npy\n"
      "Each command tells more: pith select --help");

  std::vector<pith::cli::Command> commands = {
      {"select", pith::cli::add_select(app)}, {"compare", pith::cli::add_compare(app)},
      {"graph", pith::cli::add_graph(app)},   {"info", pith::cli::add_info(app)},
      {"synth", pith::cli::add_synth(app)},   {"report", pith::cli::add_report(app)},
      {"export", pith::cli::add_export(app)}, {"import", pith::cli::add_import(app)},
      {"round", pith::cli::add_round(app)}};
  for (pith::cli::Command& command : pith::cli::add_handed_over(app)) commands.push_back(std::move(command));
  return pith::cli::run_app(app, argc, argv, commands);
}

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <new>
#include <utility>

#include "commands.h"
#include "pipeline/outputs.h"
#include "pith/error.h"
#include "terminal.h"

namespace {

int exit_code(pith::ErrorKind kind) {
  switch (kind) {
    case pith::ErrorKind::bad_option:
      return 2;
    case pith::ErrorKind::bad_input:
    case pith::ErrorKind::unsupported:
      return 3;
    case pith::ErrorKind::io:
      return 4;
    case pith::ErrorKind::infeasible:
      return 5;
    case pith::ErrorKind::interrupted:
      return 130;
  }
  return 1;
}

int fail(int code, const std::string& message) {
  fmt::print(stderr, "pith: {}\n", message);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Pith chooses, out of a large dataset, the small subset worth labelling or training on."};
  app.set_version_flag("--version", "pith " + pith::version());
  app.require_subcommand(0, 1);
  app.failure_message(
      [](const CLI::App*, const CLI::Error& error) { return std::string("pith: ") + error.what() + "\n"; });
  app.footer(
      "Examples:\n"
      "  pith synth --items 20000 --classes 10 --long-tail 100 --out toy\n"
      "  pith select --embeddings toy/embeddings.npy --probs toy/probs.npy --budget 10% --out chosen\n"
      "  pith info --embeddings toy/embeddings.npy --probs toy/probs.npy\n"
      "Each command tells more: pith select --help");

  const std::pair<const char*, std::function<void()>> commands[] = {{"select", pith::cli::add_select(app)},
                                                                    {"graph", pith::cli::add_graph(app)},
                                                                    {"info", pith::cli::add_info(app)},
                                                                    {"synth", pith::cli::add_synth(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  pith::cli::catch_interrupts();
  try {
    for (const auto& [name, run] : commands) {
      if (!app.got_subcommand(name)) continue;
      run();
      return 0;
    }
    fmt::print("{}", app.help());
    return 0;
  } catch (const pith::Error& error) {
    return fail(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(4, "out of memory; nothing was written. Use fewer --neighbors or a machine with more memory");
  } catch (const std::exception& error) {
    return fail(1, fmt::format("internal error, please report it: {}", error.what()));
  }
}

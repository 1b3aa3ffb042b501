#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "commands.h"
#include "parse_message.h"
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

/// One line, whatever a file name in it holds.
int fail(int code, std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  fmt::print(stderr, "pith: {}\n", message);
  return code;
}

/// What was printed may still wait in a buffer, and a full disk is found out only as that is emptied.
int finish_printing() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  return fail(4, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Pith chooses, out of a large dataset, the small subset worth labelling or training on.",
               "pith"};
  app.set_version_flag("--version", "pith " + pith::version());
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n"
      "  pith synth --items 20000 --classes 10 --long-tail 100 --out toy\n"
      "  pith select --embeddings toy/embeddings.npy --probs toy/probs.npy --budget 10% --out chosen\n"
      "  pith info --embeddings toy/embeddings.npy --probs toy/probs.npy\n"
      "Each command tells more: pith select --help");

  const std::pair<const char*, std::function<void()>> commands[] = {{"select", pith::cli::add_select(app)},
                                                                    {"compare", pith::cli::add_compare(app)},
                                                                    {"graph", pith::cli::add_graph(app)},
                                                                    {"info", pith::cli::add_info(app)},
                                                                    {"synth", pith::cli::add_synth(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return fail(2, pith::cli::parse_message(app, error));
    app.exit(error);
    return finish_printing();
  }

  pith::cli::catch_interrupts();
  try {
    for (const auto& [name, run] : commands) {
      if (!app.got_subcommand(name)) continue;
      run();
      return finish_printing();
    }
    fmt::print("{}", app.help());
    return finish_printing();
  } catch (const pith::Error& error) {
    return fail(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(
        4,
        "out of memory; nothing was written. Take fewer items or neighbours, or a machine with more memory");
  } catch (const std::length_error&) {
    return fail(4, "out of memory: more was asked for than any machine can hold; nothing was written");
  } catch (const std::system_error& error) {
    return fail(4, error.what());
  } catch (const std::exception& error) {
    return fail(1, fmt::format("internal error, please report it: {}", error.what()));
  }
}

#include "run_app.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/in_words.h"
#include "data/lost_pages.h"
#include "manual.h"
#include "parse_message.h"
#include "pith/error.h"
#include "terminal.h"

namespace pith::cli {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_option:
      return 2;
    case ErrorKind::bad_input:
    case ErrorKind::unsupported:
      return 3;
    case ErrorKind::io:
      return 4;
    case ErrorKind::infeasible:
      return 5;
    case ErrorKind::interrupted:
      return 130;
  }
  return 1;
}

namespace {

/// One line, whatever a file name in it holds.
int fail(int code, std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  tell(fmt::format("pith: {}\n", message));
  return code;
}

std::uint64_t planned_memory = 0;

std::string out_of_memory() {
  std::string message = "out of memory; nothing was written. ";
  if (planned_memory != 0)
    message += fmt::format("This needs about {} (--plan shows what for). ", bytes_in_words(planned_memory));
  return message + "Take fewer items or neighbours, or a machine with more memory";
}

/// What was printed may still wait in a buffer, and a full disk is found out only as that is emptied.
int finish_printing() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  return fail(4, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

int print_manual(const CLI::App& app, const std::string& form) {
  const std::optional<std::string> text = manual(app, form);
  if (!text)
    return fail(2, fmt::format("--manual: '{}' given; choose man, man:COMMAND, markdown or words", form));
  fmt::print("{}", *text);
  return finish_printing();
}

int parse_and_run(CLI::App& app, int argc, char** argv, std::span<const Command> commands) {
  if (argc == 3 && std::string_view(argv[1]) == "--manual") return print_manual(app, argv[2]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return fail(2, parse_message(app, error));
    if (const auto unknown = unknown_command(app)) return fail(2, *unknown);
    app.exit(error);
    return finish_printing();
  }

  catch_interrupts();
  explain_lost_pages();
  for (const auto& [name, run] : commands) {
    if (!app.got_subcommand(name)) continue;
    run();
    return finish_printing();
  }
  fmt::print("{}", app.help());
  return finish_printing();
}

}  // namespace

void note_planned_memory(std::uint64_t bytes) noexcept {
  planned_memory = bytes;
}

int run_app(CLI::App& app, int argc, char** argv, std::span<const Command> commands) {
  try {
    return parse_and_run(app, argc, argv, commands);
  } catch (const Error& error) {
    return fail(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(4, out_of_memory());
  } catch (const std::length_error&) {
    return fail(4, "out of memory: more was asked for than any machine can hold; nothing was written");
  } catch (const std::system_error& error) {
    // So says the formatter, of whatever it prints to.
    const bool printing = std::string_view(error.what()).starts_with("cannot write to file");
    return fail(4, printing ? fmt::format("cannot write to standard output: {}", error.code().message())
                            : std::string(error.what()));
  } catch (const std::exception& error) {
    return fail(1, fmt::format("internal error, please report it: {}", error.what()));
  }
}

}  // namespace pith::cli

#include "serve_command.h"

#include <fmt/format.h>
#include <spawn.h>

#include <csignal>
#include <cstdio>
#include <memory>

#include "base/thousands.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "run_folder_settings.h"
#include "serve/server.h"
#include "settings.h"
#include "terminal.h"

namespace pith::cli {
namespace {

std::vector<Setting> all_settings() {
  std::vector<Setting> settings = run_folder_settings("pith select --out or pith round", "items");
  settings.insert(
      settings.end(),
      {{"map", "umap|pca",
        "umap: PCA and a map of the neighbours (the default up to 200,000 items); pca: PCA alone, at once",
        "Map"},
       {"points", "N", "most items on the map; beyond it, a sample (2000000)", "Map"},
       {"seed", "N", "of the map of the neighbours (0)", "Map"},
       {"host", "ADDRESS", "where to listen (127.0.0.1); anywhere else than on this machine asks for a token",
        "Server"},
       {"port", "N", "which port (7070, or a free one where that is taken); 0: a free one", "Server"},
       {"open", "", "open it in a browser", "Server", true},
       {"threads", "N", "threads to use (default: all cores); the choices are the same for any number",
        "Running"},
       {"quiet", "", "print nothing but the address and errors", "Running", true}});
  return settings;
}

serve::SessionOptions read_session_options(const Settings& settings) {
  serve::SessionOptions options;
  options.inputs = read_input_paths(settings);
  options.class_names = settings.text("class-names");
  options.images = settings.text("images");
  if (settings.has("map"))
    options.layout = Choices<bool>{{{"umap", true}, {"pca", false}}}.parse("map", settings.text("map"));
  options.most_points = settings.whole("points", options.most_points, 100, 100'000'000);
  options.map_seed = settings.whole("seed", options.map_seed);
  return options;
}

/// In the background; a machine without a browser is no mistake.
void open_browser(const std::string& address, bool quiet) {
  std::signal(SIGCHLD, SIG_IGN);
  std::string program = "xdg-open";
  std::string argument = address;
  char* argv[] = {program.data(), argument.data(), nullptr};
  pid_t pid = 0;
  if (::posix_spawnp(&pid, program.c_str(), nullptr, nullptr, argv, environ) != 0 && !quiet)
    tell("  note: there is no xdg-open here; open the address yourself\n");
}

void run_serve(Settings& settings) {
  settings.gather();
  const std::string folder = settings.required("folder", "name the folder of a run: pith serve DIR");
  const serve::SessionOptions session_options = read_session_options(settings);
  serve::ServerOptions where;
  where.host = settings.text("host", where.host);
  where.port = static_cast<int>(settings.whole("port", static_cast<std::uint64_t>(where.port), 0, 65535));
  where.any_port = !settings.has("port");
  const bool quiet = settings.flag("quiet");
  ProgressLine line(quiet);
  const unsigned threads = settings.threads();
  serve::Workbench bench(serve::open_session(folder, session_options, make_run(threads, line)), threads);
  line.clear();
  serve::Server server(bench, where);
  if (!quiet) {
    const serve::Session& session = bench.session();
    if (where.any_port && server.port() != where.port)
      fmt::print("Port {} is taken; using {}\n", where.port, server.port());
    for (const std::string& note : session.notes) fmt::print("  note: {}\n", note);
    fmt::print("Exploring {}: {} items, {} on the map\n", folder, with_commas(session.folder.items()),
               with_commas(session.map.items.size()));
  }
  fmt::print("{}\n", server.address());
  if (!quiet) fmt::print("Ctrl-C ends it\n");
  std::fflush(stdout);
  if (settings.flag("open")) open_browser(server.address(), quiet);
  server.run(interrupted);
}

}  // namespace

std::function<void()> add_serve(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("serve", "Explore a run in the browser: change options, see what changes");
  command->footer(
      "Examples:\n"
      "  pith serve chosen --open\n"
      "  pith serve chosen --class-names names.txt --port 0\n"
      "It listens on this machine alone, unless --host says otherwise. Ctrl-C ends it, with exit code 0; "
      "while it still reads and\nprepares, with 130. What it has to prepare (graph, map) is kept in DIR for "
      "the next time.");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_serve(*settings); };
}

}  // namespace pith::cli

#include "other_programs.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "pith/error.h"
#include "program_beside.h"

namespace pith::cli {
namespace {

struct Program {
  const char* name;
  const char* missing;
};

constexpr Program trainer = {"pith-train",
                             "there is no trainer here: install the package pith-train, or run scripts/setup "
                             "train and build again"};
constexpr Program explorer = {"pith-serve",
                              "there is no explorer here: install the package pith-serve, or run "
                              "scripts/setup and build again"};

struct Listed {
  const char* name;
  const char* summary;
  const Program& program;
};

constexpr Listed handed_over[] = {
    {"serve", "Explore a run in the browser: change options, see what changes", explorer},
    {"train", "Train a network on a dataset of images, or on a chosen subset of it", trainer},
    {"embed", "Turn images into the embeddings and class probabilities that select reads", trainer},
    {"experiment", "Find out whether selecting pays on your data: train on subsets, compare, judge",
     trainer}};

}  // namespace

void hand_over(char** argv) {
  if (argv[0] == nullptr || argv[1] == nullptr) return;
  for (const Listed& listed : handed_over) {
    if (std::string_view(argv[1]) != listed.name) continue;
    const std::filesystem::path path = program_beside(listed.program.name);
    if (path.empty() || ::access(path.c_str(), X_OK) != 0) return;
    // libgomp's threads spin while they wait, for long unless told otherwise, against the threads that
    // prepare the data and against other programs. A short spin costs next to nothing; libgomp reads this
    // before main().
    if (&listed.program == &trainer && std::getenv("OMP_WAIT_POLICY") == nullptr)
      ::setenv("GOMP_SPINCOUNT", "10000", 0);
    ::execv(path.c_str(), argv);
  }
}

std::vector<Command> add_handed_over(CLI::App& app) {
  std::vector<Command> commands;
  for (const Listed& listed : handed_over) {
    std::string footer = listed.program.missing;
    footer[0] = 'T';
    app.add_subcommand(listed.name, listed.summary)->allow_extras()->footer(footer + ".");
    const char* missing = listed.program.missing;
    commands.push_back({listed.name, [missing] { throw Error(ErrorKind::unsupported, missing); }});
  }
  return commands;
}

}  // namespace pith::cli

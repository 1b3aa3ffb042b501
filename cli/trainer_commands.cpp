#include "trainer_commands.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "pith/error.h"

namespace pith::cli {
namespace {

struct Listed {
  const char* name;
  const char* summary;
};

constexpr Listed trainer_commands[] = {
    {"train", "Train a network on a dataset of images, or on a chosen subset of it"},
    {"embed", "Turn images into the embeddings and class probabilities that select reads"},
    {"experiment", "Find out whether selecting pays on your data: train on subsets, compare, judge"}};

std::filesystem::path trainer_path() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self.parent_path() / "pith-train";
}

}  // namespace

void hand_over_to_trainer(char** argv) {
  if (argv[0] == nullptr || argv[1] == nullptr) return;
  const std::string_view name = argv[1];
  bool listed = false;
  for (const Listed& command : trainer_commands) listed = listed || name == command.name;
  const std::filesystem::path path = trainer_path();
  if (!listed || path.empty() || ::access(path.c_str(), X_OK) != 0) return;
  // libgomp's threads spin while they wait, for long unless told otherwise, against the threads that prepare
  // the data and against other programs. A short spin costs next to nothing; libgomp reads this before
  // main().
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) ::setenv("GOMP_SPINCOUNT", "10000", 0);
  ::execv(path.c_str(), argv);
}

std::vector<Command> add_trainer_commands(CLI::App& app) {
  std::vector<Command> commands;
  for (const Listed& listed : trainer_commands) {
    app.add_subcommand(listed.name, listed.summary)
        ->allow_extras()
        ->footer("This build has no trainer: run scripts/setup train, then build again.");
    commands.push_back({listed.name, [] {
                          throw Error(ErrorKind::unsupported,
                                      "this build has no trainer: run scripts/setup train, then build again");
                        }});
  }
  return commands;
}

}  // namespace pith::cli

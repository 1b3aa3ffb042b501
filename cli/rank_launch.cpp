#include "rank_launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "program_beside.h"
#include "terminal.h"

namespace pith::cli {
namespace {

/// How launchers tell a process how many there are, and which one it is.
struct Launcher {
  const char* size;
  const char* rank;
};

// Slurm's are those of a step, which srun starts: in a job's own script there is one process, whatever the
// number of tasks.
constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                  {"PMI_SIZE", "PMI_RANK"},
                                  {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
                                  {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

long number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

/// srun started this, and no launcher's library tells the copies of each other (PMIx, PMI). OpenMPI would end
/// each of them, with a page of its own.
bool srun_without_pmi() {
  if (std::getenv("SLURM_STEP_NUM_TASKS") == nullptr || std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr)
    return false;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::string_view(*variable).starts_with("PMI")) return false;
  return true;
}

[[noreturn]] void refuse(bool says_so, const std::string& message) {
  if (says_so) tell(fmt::format("pith: {}\n", message));
  std::exit(3);
}

}  // namespace

Launched launched_ranks() {
  for (const Launcher& launcher : launchers)
    if (const long size = number_in(launcher.size); size > 0)
      return {.size = size, .first = number_in(launcher.rank) == 0};
  return {};
}

void require_all_ranks(int found) {
  const auto [size, first] = launched_ranks();
  if (size <= 1 || found != 1) return;
  refuse(first, fmt::format("{} copies were started, but MPI sees one: with Slurm say srun --mpi=pmix (srun "
                            "--mpi=list tells what there is), or start them by mpirun",
                            size));
}

void hand_over_to_ranks(char** argv) {
  const auto [size, first] = launched_ranks();
  if (size == 0) return;
  const std::string_view command = argv[0] == nullptr || argv[1] == nullptr ? "" : argv[1];
  if (size == 1 && command != "select") return;
  if (command != "select")
    refuse(first, fmt::format("{} copies were started, but only pith select shares work between ranks; run "
                              "this command without mpirun or srun",
                              size));
  if (srun_without_pmi()) {
    if (size == 1) return;
    require_all_ranks(1);
  }
  const std::filesystem::path program = program_beside("pith-mpi");
  if (!program.empty() && ::access(program.c_str(), X_OK) == 0) ::execv(program.c_str(), argv);
  if (size == 1) return;
  refuse(first,
         fmt::format("{} copies were started, but pith-mpi, which shares work between ranks, is not here: "
                     "install that package, or run scripts/setup mpi and build again, or start one "
                     "without mpirun or srun",
                     size));
}

}  // namespace pith::cli

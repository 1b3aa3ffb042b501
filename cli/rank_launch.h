#pragma once

namespace pith::cli {

/// What the launcher's variables say of this process.
struct Launched {
  long size = 0;  ///< copies that were started together; 0: there was no launcher
  bool first = true;
};
[[nodiscard]] Launched launched_ranks();

/// Ends the process where several were started and MPI has found but one: each would do all the work and
/// write the same files.
void require_all_ranks(int found);

/// Where mpirun or srun started several copies of this program, becomes the one that lets them work together
/// (pith-mpi, beside this one), so that the core never loads MPI. Where that is missing, or the command is
/// none that ranks can share, says so once and ends: N copies must not write the same folder.
void hand_over_to_ranks(char** argv);

}  // namespace pith::cli

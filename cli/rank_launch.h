#pragma once

namespace pith::cli {

/// Where mpirun or srun started several copies of this program, becomes the one that lets them work together
/// (pith-mpi, beside this one), so that the core never loads MPI. Where that is missing, or the command is
/// none that ranks can share, says so once and ends: N copies must not write the same folder.
void hand_over_to_ranks(char** argv);

}  // namespace pith::cli

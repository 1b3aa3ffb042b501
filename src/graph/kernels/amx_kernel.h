#pragma once

#include "graph/kernels/tile_kernel.h"

namespace pith {

/// Whether the processor, the system and the process may use AMX tiles; asks the system once.
[[nodiscard]] bool amx_permitted();

/// bf16 products in AMX tiles. Only where amx_permitted().
[[nodiscard]] const TileKernel& amx_kernel();
/// The same on tiles made of plain arithmetic.
[[nodiscard]] const TileKernel& emulated_amx_kernel();

}  // namespace pith

#pragma once

#include "pith/matrix.h"
#include "pith/run.h"

namespace pith {

/// The rows of `first`, then those of `second`, which must have the same columns and scalar type. The result
/// owns a copy of both, in native order and without gaps: (rows of both) * columns * bytes of the scalar, on
/// top of what the two take.
[[nodiscard]] Matrix concatenate(const Matrix& first, const Matrix& second, const Run& run = {});

}  // namespace pith

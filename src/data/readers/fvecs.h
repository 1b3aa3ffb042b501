#pragma once

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith {

/// A view of an .fvecs file: per row a little-endian int32, the number of columns, then so many float32.
/// Never copies; the row stride steps over the counts.
[[nodiscard]] Matrix read_fvecs(const Bytes& file);

}  // namespace pith

#pragma once

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith {

/// Comma- or tab-separated numbers, as float32. The first row is a header, and skipped, if any of its fields
/// is not a number.
[[nodiscard]] Matrix read_csv(const Bytes& file, char delimiter);

}  // namespace pith

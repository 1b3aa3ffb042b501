#pragma once

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith {

/// Comma- or tab-separated numbers, as float32. The first row is a header, and skipped, if one of its fields
/// is a word; with a number missing or mistyped it is a row like any other.
[[nodiscard]] Matrix read_csv(const Bytes& file, char delimiter);

}  // namespace pith

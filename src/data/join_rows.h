#pragma once

#include <span>
#include <string>

#include "pith/matrix.h"

namespace pith {

/// The rows of all parts, one after the other, where they lie: nothing is copied. Parts must have the same
/// columns and scalar type; layout and byte order may differ. The result keeps the parts alive.
[[nodiscard]] Matrix join_rows(std::span<const Matrix> parts, std::string source);

}  // namespace pith

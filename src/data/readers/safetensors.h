#pragma once

#include <string>

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith {

[[nodiscard]] bool looks_like_safetensors(std::span<const std::byte> start) noexcept;

/// A view of one tensor (F16, BF16, F32 or F64) of a .safetensors file; never copies.
[[nodiscard]] Matrix read_safetensors(const Bytes& file, const std::string& array);

}  // namespace pith

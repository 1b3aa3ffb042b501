#pragma once

#include <string>

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith {

/// An array of an .npz archive. Views the archive itself where the entry is stored uncompressed
/// (numpy.savez), else holds the inflated bytes (numpy.savez_compressed).
[[nodiscard]] Matrix read_npz(const Bytes& file, const std::string& array);

}  // namespace pith

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith {

/// A file format that holds a matrix.
struct Reader {
  std::string_view extension;  ///< lower case, dot included
  bool names_arrays;           ///< a file can hold several arrays, told apart by name
  /// Whether a file that starts so is of this format; nullptr where its first bytes do not tell.
  bool (*recognises)(std::span<const std::byte> start);
  Matrix (*read)(const Bytes& file, const std::string& array);
};

/// All of them, in the order they are listed to the user.
[[nodiscard]] std::span<const Reader> all_readers() noexcept;

/// The reader for the path's extension, or else for the file's first bytes; nullptr if there is none.
[[nodiscard]] const Reader* find_reader(std::string_view path, std::span<const std::byte> start) noexcept;

/// ".npy, .npz, ..."
[[nodiscard]] std::string supported_extensions();

}  // namespace pith

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pith {

/// The bytes of a file or of a part of one, what keeps them alive, and the name errors call them by.
struct Bytes {
  std::span<const std::byte> data;
  std::shared_ptr<const void> owner;
  std::string name;

  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  }
};

}  // namespace pith

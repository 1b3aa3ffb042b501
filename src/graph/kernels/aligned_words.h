#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace pith {

/// 32-bit words on a cache line's boundary, reused without being cleared.
class AlignedWords {
 public:
  void resize(std::size_t count) {
    if (count > capacity_) {
      words_.reset();  // first, so that old and new never stand side by side
      words_.reset(static_cast<std::uint32_t*>(
          ::operator new (count * sizeof(std::uint32_t), std::align_val_t{alignment})));
      capacity_ = count;
    }
    size_ = count;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint32_t* data() noexcept { return words_.get(); }
  [[nodiscard]] const std::uint32_t* data() const noexcept { return words_.get(); }

 private:
  static constexpr std::size_t alignment = 64;
  struct Free {
    void operator()(std::uint32_t* words) const noexcept {
      ::operator delete (words, std::align_val_t{alignment});
    }
  };
  std::unique_ptr<std::uint32_t, Free> words_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace pith

#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace pith {

/// A large array of plain values, zero until written, whose parts can be given back to the system one by one.
template <class T>
class PageArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit PageArray(std::size_t count) : bytes_(count * sizeof(T)) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    if (bytes_ == 0) return;
    void* const place = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(place);
  }
  ~PageArray() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }
  PageArray(PageArray&& other) noexcept
      : bytes_(std::exchange(other.bytes_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  PageArray& operator=(PageArray&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  T& operator[](std::size_t at) noexcept { return data_[at]; }

  /// Frees the whole pages between two elements. What stood there is gone.
  void release(std::size_t begin, std::size_t end) noexcept {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t from = (begin * sizeof(T) + page - 1) / page * page;
    const std::size_t to = end * sizeof(T) / page * page;
    if (from < to) madvise(reinterpret_cast<std::byte*>(data_) + from, to - from, MADV_DONTNEED);
  }

 private:
  std::size_t bytes_;
  T* data_ = nullptr;
};

}  // namespace pith

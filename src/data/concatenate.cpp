#include "data/concatenate.h"

#include <new>

#include "base/gather.h"
#include "data/refuse.h"
#include "data/tiles.h"

namespace pith {
namespace {

constexpr std::align_val_t line{64};

std::shared_ptr<std::byte[]> allocate_lines(std::size_t bytes) {
  return {static_cast<std::byte*>(::operator new[](bytes, line)),
          [](std::byte* block) { ::operator delete[](block, line); }};
}

}  // namespace

Matrix concatenate(const Matrix& first, const Matrix& second, const Run& run) {
  if (first.cols() != second.cols())
    refuse_input(second.source, "{} columns, but {} has {}; both must come from the same model",
                 second.cols(), first.source, first.cols());
  if (first.view.scalar != second.view.scalar)
    refuse_input(second.source, "{} numbers, but {} has {}; save both in the same type",
                 name_of(second.view.scalar), first.source, name_of(first.view.scalar));
  const std::size_t row_bytes = first.cols() * bytes_of(first.view.scalar);
  const auto block = allocate_lines((first.rows() + second.rows()) * row_bytes);
  const auto copy = [&](const MatrixView& view, std::byte* to) {
    for_each_tile(view, run, "joining embeddings", [&](std::size_t begin, std::size_t count, unsigned) {
      gather_elements(view, begin, count, to + begin * row_bytes);
    });
  };
  copy(first.view, block.get());
  copy(second.view, block.get() + first.rows() * row_bytes);
  return {.view = {.data = block.get(),
                   .rows = first.rows() + second.rows(),
                   .cols = first.cols(),
                   .row_stride_bytes = static_cast<std::ptrdiff_t>(row_bytes),
                   .col_stride_bytes = static_cast<std::ptrdiff_t>(bytes_of(first.view.scalar)),
                   .scalar = first.view.scalar,
                   .byte_swapped = false},
          .owner = block,
          .source = fmt::format("{} followed by {}", first.source, second.source)};
}

}  // namespace pith

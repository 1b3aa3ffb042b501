#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pith/run.h"

namespace pith {

/// Makes small pictures of items. Datasets that ids lead to stay open for the next time.
class Thumbnails {
 public:
  Thumbnails();
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  /// Whether this build can make them: it was made with libjpeg and libpng.
  [[nodiscard]] static bool possible();

  /// Of the JPEG and PNG files among these paths, and of images packed with others, which pith embed names
  /// FOLDER#train:12, as data: addresses; empty where a path leads to no image. Any thread may ask.
  [[nodiscard]] std::vector<std::string> make(const std::vector<std::string>& paths, const Run& run) const;

 private:
  struct Datasets;
  std::unique_ptr<Datasets> datasets_;
};

}  // namespace pith

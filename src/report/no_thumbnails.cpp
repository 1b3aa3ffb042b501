#include "report/thumbnails.h"

namespace pith {

struct Thumbnails::Datasets {};

Thumbnails::Thumbnails() = default;
Thumbnails::~Thumbnails() = default;

bool Thumbnails::possible() {
  return false;
}

std::vector<std::string> Thumbnails::make(const std::vector<std::string>& paths, const Run& /*run*/) const {
  return std::vector<std::string>(paths.size());
}

}  // namespace pith

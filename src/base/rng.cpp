#include "base/rng.h"

#include <cmath>
#include <numbers>

namespace pith {

double Rng::normal() noexcept {
  const double radius = std::sqrt(-2 * std::log(1 - unit()));
  return radius * std::cos(2 * std::numbers::pi * unit());
}

}  // namespace pith

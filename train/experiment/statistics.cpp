#include "experiment/statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace pith::train {

double student_quantile(std::size_t degrees_of_freedom, double confidence) {
  const boost::math::students_t distribution(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

Estimate estimate(std::span<const double> measurements, double confidence) {
  const auto count = static_cast<double>(measurements.size());
  Estimate out{.count = measurements.size()};
  for (const double value : measurements) out.mean += value / count;
  if (measurements.size() < 2) {
    out.low = -std::numeric_limits<double>::infinity();
    out.high = std::numeric_limits<double>::infinity();
    return out;
  }
  double squares = 0;
  for (const double value : measurements) squares += (value - out.mean) * (value - out.mean);
  out.deviation = std::sqrt(squares / (count - 1));
  const double reach =
      student_quantile(measurements.size() - 1, confidence) * out.deviation / std::sqrt(count);
  out.low = out.mean - reach;
  out.high = out.mean + reach;
  return out;
}

}  // namespace pith::train

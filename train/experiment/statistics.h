#pragma once

#include <cstddef>
#include <span>

namespace pith::train {

/// Mean of some measurements, their deviation, and where the true mean lies with the confidence asked for.
struct Estimate {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  ///< of a single measurement, n - 1 in the denominator; 0 for fewer than two
  double low = 0;        ///< of the mean's interval; minus infinity for fewer than two measurements
  double high = 0;
};

/// By Student's t with n - 1 degrees of freedom. At least one measurement.
[[nodiscard]] Estimate estimate(std::span<const double> measurements, double confidence = 0.95);

/// How far Student's t strays from 0 on either side with this confidence.
[[nodiscard]] double student_quantile(std::size_t degrees_of_freedom, double confidence);

}  // namespace pith::train

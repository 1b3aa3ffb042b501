#include "pipeline/describe.h"

#include <gmock/gmock.h>

namespace pith {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// All warnings about items that have this best probability, classes taking turns.
std::string warnings_of(std::uint32_t classes, double best) {
  Predictions predictions;
  predictions.classes = classes;
  constexpr std::uint32_t items = 120;
  for (std::uint32_t item = 0; item < items; ++item) {
    predictions.best.push_back(item % classes);
    predictions.second.push_back((item + 1) % classes);
    predictions.margin.push_back(0.9);
  }
  std::string all;
  for (const std::string& warning :
       describe_predictions(predictions, std::vector<double>(items, 1 - best), 0.05).warnings)
    all += warning + "\n";
  return all;
}

TEST(Describe, uniform_is_measured_from_an_even_share) {
  for (const auto& [classes, best] : {std::pair{2U, 0.52}, {3U, 0.38}, {4U, 0.3}, {10U, 0.14}, {100U, 0.014}})
    EXPECT_THAT(warnings_of(classes, best), HasSubstr("nearly uniform")) << classes;
  for (const auto& [classes, best] :
       {std::pair{1U, 1.0}, {2U, 0.7}, {3U, 0.48}, {4U, 0.36}, {10U, 0.16}, {100U, 0.016}})
    EXPECT_THAT(warnings_of(classes, best), Not(HasSubstr("nearly uniform"))) << classes;
}

}  // namespace
}  // namespace pith

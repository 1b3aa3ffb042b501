#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "graph/row_picker.h"

namespace pith {
namespace {

constexpr float nothing = -std::numeric_limits<float>::infinity();

/// Few different values for ties, some of them nothing at all.
std::vector<float> make_values(std::size_t count, int different, double empty, std::mt19937_64& rng) {
  std::vector<float> values(count);
  for (float& value : values) {
    const bool none = std::uniform_real_distribution<double>(0, 1)(rng) < empty;
    value = none ? nothing
                 : 0.25F * static_cast<float>(std::uniform_int_distribution<int>(-different, different)(rng));
  }
  return values;
}

TEST(row_picker, floor_is_reached_by_enough_and_columns_are_those_that_reach_the_bar) {
  std::mt19937_64 rng(1);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t wanted = 1 + rng() % 40;
    RowPicker picker(wanted, round % 2 == 0);
    const std::size_t columns = picker.lanes() * (1 + rng() % 4);
    const auto values = make_values(columns, round % 3 == 0 ? 2 : 100000, round % 5 == 0 ? 0.97 : 0.05, rng);
    const float floor = picker.look(values.data(), columns);
    const auto reaching = [&](float bar) {
      std::set<std::size_t> all;
      for (std::size_t c = 0; c < columns; ++c)
        if (values[c] >= bar && values[c] > nothing) all.insert(c);
      return all;
    };
    if (floor > nothing) {
      ASSERT_GE(reaching(floor).size(), wanted);
    }
    for (const float bar : {floor, nothing, 0.0F, std::numeric_limits<float>::infinity()}) {
      std::set<std::size_t> taken;
      for (const std::uint32_t c : picker.columns_from(bar)) ASSERT_TRUE(taken.insert(c).second) << "twice";
      ASSERT_EQ(taken, reaching(bar));
    }
  }
}

TEST(row_picker, plain_code_and_the_machines_own_agree) {
  std::mt19937_64 rng(3);
  for (int round = 0; round < 1000; ++round) {
    RowPicker plain(10, true);
    RowPicker own(10);
    auto values = make_values(plain.lanes() * (1 + rng() % 9), 1 << 20, round % 3 == 0 ? 0.9 : 0.0, rng);
    if (round % 4 == 0) values[rng() % values.size()] = std::numeric_limits<float>::quiet_NaN();
    const float floor = plain.look(values.data(), values.size());
    ASSERT_EQ(own.look(values.data(), values.size()), floor);
    const auto columns = [&](RowPicker& picker) {
      const auto found = picker.columns_from(floor);
      return std::set<std::uint32_t>(found.begin(), found.end());
    };
    ASSERT_EQ(columns(own), columns(plain));
  }
}

TEST(row_picker, floor_is_near_the_value_wanted) {
  std::mt19937_64 rng(2);
  double taken = 0;
  constexpr int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    RowPicker picker(10);
    const auto values = make_values(16 * picker.lanes(), 1 << 20, 0, rng);
    const float floor = picker.look(values.data(), values.size());
    taken += static_cast<double>(picker.columns_from(floor).size());
  }
  EXPECT_LT(taken / rounds, 12);
}

}  // namespace
}  // namespace pith

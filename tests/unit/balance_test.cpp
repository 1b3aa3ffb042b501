#include "constraint/balance.h"

#include <gtest/gtest.h>

#include "constraint/caps.h"
#include "constraint/feasibility.h"
#include "pith/error.h"

namespace {

using pith::BalanceKind;
using pith::no_group;
using pith::Pool;
using Caps = std::vector<std::int64_t>;
using Groups = std::vector<std::uint32_t>;

/// Eight items of three classes: pairs {0,1} x4, {1,2} x2, {0,2} x1, and item 7 surely class 2.
pith::Predictions eight_items() {
  return {.classes = 3,
          .best = {0, 0, 1, 1, 1, 2, 2, 2},
          .second = {1, 1, 0, 0, 2, 1, 0, 0},
          .margin = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.05},
          .other_uncertainty = {}};
}

/// Items 0 (given class 2) and 2 (no class given) labelled, item 6 excluded.
Pool pool_with_labels() {
  Pool pool = Pool::of_all(8);
  pool.state[0] = pool.state[2] = Pool::State::labelled;
  pool.state[6] = Pool::State::excluded;
  pool.labelled = {0, 2};
  pool.labelled_class = {2, no_group};
  return pool;
}

TEST(MakeBalance, GroupsEightItems) {
  const auto balance = pith::make_balance(eight_items(), Pool::of_all(8), 4, BalanceKind::both, {});
  EXPECT_EQ(balance.classes.group_of, (Groups{0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(balance.classes.available, (Caps{2, 3, 3}));
  EXPECT_EQ(balance.classes.cap, (Caps{2, 2, 2}));  // ceil(4 / 3)
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs{{0, 1}, {0, 2}, {1, 2}};
  EXPECT_EQ(balance.boundary_pairs, pairs);
  EXPECT_EQ(balance.boundaries.group_of, (Groups{0, 0, 0, 0, 2, 2, 1, no_group}));
  EXPECT_EQ(balance.boundaries.cap, (Caps{4, 4, 4}));  // w = 2: min(4,2) + min(1,2) + min(2,2) = 5 >= 4
  EXPECT_TRUE(balance.classes.active);
  EXPECT_TRUE(balance.boundaries.active);
}

TEST(MakeBalance, CountsLabelledAndLeavesOutExcluded) {
  pith::BalanceOptions options;
  options.boundary_cap = pith::ProportionalCap{};
  const auto balance = pith::make_balance(eight_items(), pool_with_labels(), 3, BalanceKind::both, options);
  EXPECT_EQ(balance.classes.labelled, (Caps{0, 1, 1}));
  EXPECT_EQ(balance.classes.available, (Caps{1, 2, 2}));
  EXPECT_EQ(balance.classes.cap, (Caps{2, 2, 2}));  // ceil((3 + 2) / 3)
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs{{0, 1}, {1, 2}};
  EXPECT_EQ(balance.boundary_pairs, pairs);  // {0,2} has only the excluded item
  EXPECT_EQ(balance.boundaries.labelled, (Caps{2, 0}));
  EXPECT_EQ(balance.boundaries.available, (Caps{2, 2}));
  EXPECT_EQ(balance.boundaries.cap, (Caps{3, 2}));  // ceil(5/7 * 4), ceil(5/7 * 2)
  EXPECT_EQ(balance.boundaries.group_of[6], no_group);
  // Rooms: classes 2, 1, 1; boundaries 1, 2. One of {0,1}, then item 5 or 7 of class 2, then item 4 of
  // class 1.
  EXPECT_EQ(pith::feasible_size(balance, pith::count_cells(balance, pool_with_labels())), 3);
}

TEST(MakeBalance, ReportsCapsOfConstraintsThatAreOff) {
  const auto balance = pith::make_balance(eight_items(), Pool::of_all(8), 4, BalanceKind::none, {});
  EXPECT_FALSE(balance.classes.active);
  EXPECT_FALSE(balance.boundaries.active);
  EXPECT_EQ(balance.classes.cap_requested, (Caps{2, 2, 2}));
  EXPECT_EQ(balance.boundaries.cap_requested, (Caps{4, 4, 4}));
  EXPECT_EQ(pith::feasible_size(balance, pith::count_cells(balance, Pool::of_all(8))), 8);
}

TEST(MakeBalance, KnowsOneConstraintWithoutTheOther) {
  const auto classes = pith::make_balance(eight_items(), Pool::of_all(8), 4, BalanceKind::class_only, {});
  EXPECT_TRUE(classes.classes.active);
  EXPECT_FALSE(classes.boundaries.active);
  const auto boundaries =
      pith::make_balance(eight_items(), Pool::of_all(8), 4, BalanceKind::boundary_only, {});
  EXPECT_FALSE(boundaries.classes.active);
  EXPECT_TRUE(boundaries.boundaries.active);
}

TEST(MakeBalance, TakesOneFixedCapForAll) {
  pith::BalanceOptions options;
  options.class_cap = pith::FixedCap{7};
  options.boundary_cap = pith::FixedCap{0};
  const auto balance = pith::make_balance(eight_items(), Pool::of_all(8), 4, BalanceKind::both, options);
  EXPECT_EQ(balance.classes.cap, (Caps{7, 7, 7}));
  EXPECT_EQ(balance.boundaries.cap, (Caps{0, 0, 0}));
}

TEST(MakeBalance, RefusesALabelOutsideTheClasses) {
  Pool pool = pool_with_labels();
  pool.labelled_class[0] = 3;
  try {
    (void)pith::make_balance(eight_items(), pool, 3, BalanceKind::both, {});
    FAIL() << "no error";
  } catch (const pith::Error& error) {
    EXPECT_EQ(error.kind(), pith::ErrorKind::bad_input);
    EXPECT_STREQ(error.what(),
                 "labelled item 0 has class 3, but the probabilities have 3 columns; use 0 to 2");
  }
}

TEST(MakeBalance, HasNoBoundariesWithOneClass) {
  const pith::Predictions one{
      .classes = 1, .best = {0, 0}, .second = {0, 0}, .margin = {1, 1}, .other_uncertainty = {}};
  const auto balance = pith::make_balance(one, Pool::of_all(2), 1, BalanceKind::both, {});
  EXPECT_TRUE(balance.boundary_pairs.empty());
  EXPECT_EQ(balance.boundaries.group_of, (Groups{no_group, no_group}));
}

TEST(MakeBalance, AcceptsNoItems) {
  const pith::Predictions none{.classes = 3, .best = {}, .second = {}, .margin = {}, .other_uncertainty = {}};
  const auto balance = pith::make_balance(none, Pool::of_all(0), 0, BalanceKind::both, {});
  EXPECT_EQ(pith::feasible_size(balance, pith::count_cells(balance, Pool::of_all(0))), 0);
}

TEST(MakeBalance, KeepsPairsOfManyClassesApart) {
  constexpr std::uint32_t classes = 3000000;
  const pith::Predictions wide{.classes = classes,
                               .best = {classes - 1, 5, classes - 2, 0},
                               .second = {classes - 2, 0, classes - 1, 5},
                               .margin = {1, 1, 1, 1},
                               .other_uncertainty = {}};
  const auto balance = pith::make_balance(wide, Pool::of_all(4), 1, BalanceKind::both, {});
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs{{0, 5}, {classes - 2, classes - 1}};
  EXPECT_EQ(balance.boundary_pairs, pairs);
  EXPECT_EQ(balance.boundaries.group_of, (Groups{1, 0, 1, 0}));
}

TEST(PoolOfAll, MakesEveryItemACandidate) {
  EXPECT_EQ(Pool::of_all(5).candidates(), 5U);
  EXPECT_EQ(pool_with_labels().candidates(), 5U);
  EXPECT_EQ(Pool::of_all(0).candidates(), 0U);
}

TEST(Shares, AreExactBeyondSixtyFourBits) {
  constexpr std::int64_t big = std::int64_t{1} << 40;
  EXPECT_EQ(pith::ceil_of_share(big, big, big), big);
  EXPECT_EQ(pith::ceil_of_share(big, big - 1, big + 1), big - 1);
  EXPECT_EQ(pith::floor_of_share(big, big - 1, big + 1), big - 2);
  EXPECT_EQ(pith::floor_of_share(INT64_MAX, 3, 2), INT64_MAX);
  EXPECT_EQ(pith::ceil_of_share(3, 1, 2), 2);
  EXPECT_EQ(pith::ceil_of_share(0, 5, 2), 0);
}

TEST(SlackTimes, ReadsSlackAsADecimal) {
  EXPECT_EQ(pith::slack_times(1.1, 10), 11);
  EXPECT_EQ(pith::slack_times(1.15, 100), 115);
  EXPECT_EQ(pith::slack_times(1.1, 11), 13);  // 12.1
  EXPECT_EQ(pith::slack_times(2, 3), 6);
  EXPECT_EQ(pith::slack_times(1.000001, 1000), 1001);
  EXPECT_EQ(pith::slack_times(1.5, 0), 0);
  EXPECT_EQ(pith::slack_times(1e300, 5), std::int64_t{1} << 62);
}

}  // namespace

#include <gtest/gtest.h>

#include "constraint/feasibility.h"

namespace {

using pith::no_group;
using Caps = std::vector<std::int64_t>;

struct Made {
  pith::Balance balance;
  std::vector<pith::Cell> cells;
};

/// Caps of classes and boundaries over given cells; nothing labelled.
Made make(Caps class_caps, Caps boundary_caps, std::vector<pith::Cell> cells) {
  Made made{{}, std::move(cells)};
  const auto set = [](pith::Partition& partition, Caps caps) {
    partition.active = true;
    partition.available.assign(caps.size(), 0);
    partition.labelled.assign(caps.size(), 0);
    partition.cap_requested = caps;
    partition.cap = std::move(caps);
  };
  set(made.balance.classes, std::move(class_caps));
  set(made.balance.boundaries, std::move(boundary_caps));
  for (const pith::Cell& cell : made.cells) {
    made.balance.classes.available[cell.class_group] += cell.items;
    if (cell.boundary_group != no_group) made.balance.boundaries.available[cell.boundary_group] += cell.items;
  }
  return made;
}

TEST(FeasibleSize, NeedsSwapsThatGreedyMisses) {
  // Class 0 could take boundary 0 or 1, class 1 only boundary 0: both fit only if class 0 leaves boundary 0.
  const Made made = make({1, 1}, {1, 1}, {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}});
  EXPECT_EQ(pith::feasible_size(made.balance, made.cells), 2);
}

TEST(FeasibleSize, IsZeroWhereLabelledItemsAlreadyExceedTheCap) {
  Made made = make({3}, {}, {{0, no_group, 10}});
  made.balance.classes.labelled = {5};
  EXPECT_EQ(pith::feasible_size(made.balance, made.cells), 0);
}

TEST(FeasibleSize, SurvivesTheLargestCaps) {
  const Made made = make({INT64_MAX, INT64_MAX}, {INT64_MAX}, {{0, 0, 10}, {1, 0, 10}, {1, no_group, 5}});
  EXPECT_EQ(pith::feasible_size(made.balance, made.cells), 25);
}

TEST(RelaxCaps, LeavesFeasibleCapsAlone) {
  Made made = make({2, 2}, {9}, {{0, 0, 5}, {1, 0, 5}});
  const auto result = pith::relax_caps(made.balance, made.cells, 4);
  EXPECT_FALSE(result.relaxed);
  EXPECT_EQ(result.class_level, 0);
  EXPECT_EQ(result.boundary_factor, 1);
  EXPECT_EQ(made.balance.classes.cap, (Caps{2, 2}));
}

TEST(RelaxCaps, RaisesClassesToTheWaterLevel) {
  // Long tail 50, 6, 1: for 20 items the level L solves min(50,L) + min(6,L) + 1 >= 20: 13 + 6 + 1.
  Made made = make({7, 7, 7}, {}, {{0, no_group, 50}, {1, no_group, 6}, {2, no_group, 1}});
  const auto result = pith::relax_caps(made.balance, made.cells, 20);
  EXPECT_EQ(result.feasible_size_requested, 14);
  EXPECT_EQ(result.feasible_size, 20);
  EXPECT_TRUE(result.relaxed);
  EXPECT_EQ(result.class_level, 13);
  EXPECT_EQ(made.balance.classes.cap, (Caps{13, 13, 13}));
  EXPECT_EQ(made.balance.classes.cap_requested, (Caps{7, 7, 7}));
}

TEST(RelaxCaps, CountsLabelledItemsInTheLevel) {
  Made made = make({4, 4}, {}, {{0, no_group, 10}, {1, no_group, 10}});
  made.balance.classes.labelled = {6, 0};
  const auto result = pith::relax_caps(made.balance, made.cells, 9);
  // Level 7: one more of class 0, seven of class 1. Level 8: two and eight.
  EXPECT_EQ(result.class_level, 8);
  EXPECT_EQ(result.feasible_size, 10);
}

TEST(RelaxCaps, NeverTouchesZero) {
  Made made = make({0, 2}, {0, 3}, {{0, 1, 9}, {1, 0, 9}, {1, 1, 9}});
  const auto result = pith::relax_caps(made.balance, made.cells, 100);
  EXPECT_EQ(result.feasible_size_requested, 2);
  EXPECT_EQ(result.feasible_size, 9);  // only cell (1,1) is open
  EXPECT_EQ(made.balance.classes.cap, (Caps{0, 9}));
  EXPECT_EQ(made.balance.boundaries.cap, (Caps{0, 9}));
  EXPECT_EQ(result.boundary_factor, 3);
}

TEST(RelaxCaps, RaisesBoundariesByTheLeastFactorOnlyWhenClassesDoNotSuffice) {
  // Unlimited classes give 2 + 4 = 6. The factors that add an item: 3/2, 4/2, ... and 5/4, 6/4, ...
  // For 8: t = 3/2 gives floor(3) + floor(6) = 9, t = 5/4 only 2 + 5 = 7.
  Made made = make({1, 1}, {2, 4}, {{0, 0, 10}, {1, 1, 10}});
  const auto result = pith::relax_caps(made.balance, made.cells, 8);
  EXPECT_EQ(result.feasible_size_requested, 2);
  EXPECT_EQ(result.boundary_factor, 1.5);
  EXPECT_EQ(made.balance.boundaries.cap, (Caps{3, 6}));
  EXPECT_EQ(result.class_level, 5);  // 3 + 5
  EXPECT_EQ(made.balance.classes.cap, (Caps{5, 5}));
  EXPECT_EQ(result.feasible_size, 8);
}

TEST(RelaxCaps, RaisesBoundariesAloneWhereClassesAreOff) {
  Made made = make({1}, {3}, {{0, 0, 10}});
  made.balance.classes.active = false;
  const auto result = pith::relax_caps(made.balance, made.cells, 5);
  EXPECT_EQ(made.balance.boundaries.cap, (Caps{5}));
  EXPECT_EQ(made.balance.classes.cap, (Caps{1}));
  EXPECT_EQ(result.class_level, 0);
  EXPECT_DOUBLE_EQ(result.boundary_factor, 5.0 / 3.0);
}

TEST(RelaxCaps, KeepsClassCapsThatSufficeOnceBoundariesAreRaised) {
  Made made = make({8}, {3}, {{0, 0, 10}});
  const auto result = pith::relax_caps(made.balance, made.cells, 5);
  EXPECT_EQ(made.balance.classes.cap, (Caps{8}));
  EXPECT_EQ(result.class_level, 0);
  EXPECT_EQ(made.balance.boundaries.cap, (Caps{5}));
}

TEST(RelaxCaps, GoesAsFarAsThereAreItems) {
  Made made = make({1, 1}, {}, {{0, no_group, 4}, {1, no_group, 3}});
  const auto result = pith::relax_caps(made.balance, made.cells, 50);
  EXPECT_EQ(result.feasible_size, 7);
  EXPECT_EQ(result.class_level, 4);
}

TEST(RelaxCaps, DoesNothingWithoutConstraints) {
  Made made = make({1}, {1}, {{0, 0, 3}});
  made.balance.classes.active = made.balance.boundaries.active = false;
  const auto result = pith::relax_caps(made.balance, made.cells, 50);
  EXPECT_EQ(result.feasible_size, 3);
  EXPECT_FALSE(result.relaxed);
}

TEST(RelaxCaps, ScalesHugeCapsWithoutOverflow) {
  Made made = make({100, 100}, {1, INT64_MAX}, {{0, 0, 10}, {1, 1, 1}});
  const auto result = pith::relax_caps(made.balance, made.cells, 5);
  EXPECT_EQ(result.boundary_factor, 4);
  EXPECT_EQ(made.balance.boundaries.cap, (Caps{4, INT64_MAX}));
}

}  // namespace

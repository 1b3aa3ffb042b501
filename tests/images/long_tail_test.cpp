#include "images/long_tail.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <set>

#include "images/readers/formats.h"

namespace pith::train {
namespace {

std::size_t kept(std::size_t classes, std::size_t each, double ratio) {
  const std::vector<std::size_t> counts = long_tail_counts(std::vector<std::size_t>(classes, each), ratio);
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

TEST(LongTail, totals_of_the_usual_recipe) {
  EXPECT_EQ(kept(100, 500, 100), 10847U);
  EXPECT_EQ(kept(100, 500, 50), 12608U);
  EXPECT_EQ(kept(100, 500, 10), 19573U);
  EXPECT_EQ(kept(10, 5000, 100), 12406U);
  EXPECT_EQ(kept(10, 6000, 100), 14886U);
  EXPECT_EQ(kept(10, 6000, 1), 60000U);
}

TEST(LongTail, of_the_real_cifar_100) {
  const char* folder = std::getenv("PITH_CIFAR100");
  if (folder == nullptr) GTEST_SKIP() << "set PITH_CIFAR100 to the folder cifar-100-binary to run this";
  const Dataset data = open_dataset({.path = folder});
  EXPECT_EQ(data.training.size(), 50000U);
  EXPECT_EQ(data.test->size(), 10000U);
  EXPECT_EQ(long_tail_places(data.training.labels, data.classes, 100, 0).size(), 10847U);
  const Normalisation normalisation = data.training.source->measure(data.training.indices);
  EXPECT_NEAR(normalisation.mean[0], 0.5071, 1e-4);
  EXPECT_NEAR(normalisation.mean[2], 0.4409, 1e-4);
}

TEST(LongTail, falls_from_the_largest_class_to_its_ratio) {
  const auto counts = long_tail_counts(std::vector<std::size_t>(100, 500), 100);
  EXPECT_EQ(counts.front(), 500U);
  EXPECT_EQ(counts.back(), 5U);
  EXPECT_TRUE(std::is_sorted(counts.rbegin(), counts.rend()));
  // A class that is smaller than its share keeps all it has, and none is left empty.
  EXPECT_EQ(long_tail_counts({10, 2, 3}, 100), (std::vector<std::size_t>{10, 1, 1}));
  EXPECT_EQ(long_tail_counts({2, 10, 10}, 2), (std::vector<std::size_t>{2, 7, 5}));
}

std::vector<std::uint32_t> labels_of(std::size_t items, std::uint32_t classes) {
  std::vector<std::uint32_t> labels;
  for (std::size_t item = 0; item < items; ++item)
    labels.push_back(static_cast<std::uint32_t>(item % classes));
  return labels;
}

TEST(LongTail, the_same_seed_keeps_the_same_items) {
  const auto labels = labels_of(1000, 10);
  const auto places = long_tail_places(labels, 10, 10, 1);
  EXPECT_EQ(places, long_tail_places(labels, 10, 10, 1));
  EXPECT_NE(places, long_tail_places(labels, 10, 10, 2));
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
  EXPECT_EQ(std::set<Item>(places.begin(), places.end()).size(), places.size());
  std::vector<std::size_t> counts(10);
  for (const Item place : places) ++counts[labels[place]];
  EXPECT_EQ(counts, long_tail_counts(std::vector<std::size_t>(10, 100), 10));
}

TEST(HoldOut, takes_its_share_of_every_class_and_loses_none) {
  const auto labels = labels_of(505, 5);
  const auto [rest, held] = hold_out(labels, 5, 0.1, 3);
  EXPECT_EQ(held.size(), 50U);
  std::vector<std::size_t> counts(5);
  for (const Item place : held) ++counts[labels[place]];
  EXPECT_EQ(counts, std::vector<std::size_t>(5, 10));
  std::set<Item> all(rest.begin(), rest.end());
  all.insert(held.begin(), held.end());
  EXPECT_EQ(all.size(), labels.size());
  EXPECT_EQ(rest.size() + held.size(), labels.size());
}

}  // namespace
}  // namespace pith::train

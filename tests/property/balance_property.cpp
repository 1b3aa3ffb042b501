#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "constraint/balance.h"
#include "constraint/caps.h"
#include "support/balance_gen.h"

namespace {

using pith::BalanceKind;
using pith::no_group;
using pith::Pool;

/// Some items labelled, with and without a given class, some excluded.
Pool some_pool(std::size_t n, std::uint32_t classes) {
  Pool pool = Pool::of_all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int draw = balance_gen::pick(0, 6);
    if (draw == 4) pool.state[i] = Pool::State::excluded;
    if (draw != 5) continue;
    pool.state[i] = Pool::State::labelled;
    pool.labelled.push_back(static_cast<pith::Item>(i));
    const auto given = balance_gen::pick<std::uint32_t>(0, classes + 1);
    pool.labelled_class.push_back(given == classes ? no_group : given);
  }
  return pool;
}

/// docs/method.md's Constraints, word by word, with one class and one pair at a time.
void expect_as_written(const pith::Predictions& p, const Pool& pool, std::int64_t k, bool proportional,
                       int slack, const pith::Balance& balance) {
  const std::size_t n = p.size();
  const auto size_of_a = static_cast<std::int64_t>(pool.labelled.size());
  std::int64_t not_excluded = 0;
  for (const auto state : pool.state) not_excluded += state != Pool::State::excluded ? 1 : 0;

  for (std::uint32_t c = 0; c < p.classes; ++c) {
    std::int64_t available = 0;
    std::int64_t labelled = 0;
    for (std::size_t i = 0; i < n; ++i)
      available += pool.state[i] == Pool::State::candidate && p.best[i] == c ? 1 : 0;
    for (std::size_t a = 0; a < pool.labelled.size(); ++a) {
      const auto given = pool.labelled_class[a];
      labelled += (given == no_group ? p.best[pool.labelled[a]] : given) == c ? 1 : 0;
    }
    RC_ASSERT(balance.classes.available[c] == available);
    RC_ASSERT(balance.classes.labelled[c] == labelled);
    const std::int64_t cap = balance.classes.cap_requested[c];
    RC_ASSERT(cap * p.classes >= k + size_of_a);
    RC_ASSERT((cap - 1) * p.classes < k + size_of_a);
  }

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> items_of;
  for (std::size_t i = 0; i < n; ++i) {
    const bool on_boundary = pool.state[i] != Pool::State::excluded && p.margin[i] > 0.05;
    const auto group = balance.boundaries.group_of[i];
    RC_ASSERT((group != no_group) == on_boundary);
    if (!on_boundary) continue;
    const std::pair pair{std::min(p.best[i], p.second[i]), std::max(p.best[i], p.second[i])};
    RC_ASSERT(balance.boundary_pairs[group] == pair);
    ++items_of[pair];
  }
  RC_ASSERT(balance.boundary_pairs.size() == items_of.size());
  std::int64_t all = 0;
  for (const auto& [pair, items] : items_of) all += items;
  std::int64_t w = 0;
  for (std::int64_t filled = 0; filled < std::min(k + size_of_a, all);) {
    ++w;
    filled = 0;
    for (const auto& [pair, items] : items_of) filled += std::min(items, w);
  }
  std::size_t b = 0;
  for (const auto& [pair, items] : items_of) {
    RC_ASSERT(balance.boundary_pairs[b] == pair);
    RC_ASSERT(balance.boundaries.available[b] + balance.boundaries.labelled[b] == items);
    const std::int64_t cap = balance.boundaries.cap_requested[b++];
    if (!proportional) {
      RC_ASSERT(cap == slack * w);
    } else if (cap != 1) {
      RC_ASSERT(cap * not_excluded >= (k + size_of_a) * items);
      RC_ASSERT((cap - 1) * not_excluded < (k + size_of_a) * items);
    } else {
      RC_ASSERT((k + size_of_a) * items <= not_excluded);
    }
  }
}

void check_caps(std::uint32_t most_classes) {
  const auto n = balance_gen::pick<std::size_t>(1, 80);
  const auto classes = balance_gen::pick<std::uint32_t>(2, most_classes + 1);
  const auto predictions = balance_gen::predictions(n, classes);
  const Pool pool = some_pool(n, classes);
  const auto k = balance_gen::pick<std::int64_t>(0, 100);
  const bool proportional = *rc::gen::arbitrary<bool>();
  pith::BalanceOptions options;
  options.boundary_slack = balance_gen::pick(1, 4);
  if (proportional) options.boundary_cap = pith::ProportionalCap{};
  const auto balance = pith::make_balance(predictions, pool, k, BalanceKind::both, options);
  expect_as_written(predictions, pool, k, proportional, static_cast<int>(options.boundary_slack), balance);
  RC_ASSERT(balance.classes.cap == balance.classes.cap_requested);
  RC_ASSERT(balance.boundaries.cap == balance.boundaries.cap_requested);
}

RC_GTEST_PROP(MakeBalance, FollowsTheMethodWithFewClasses, ()) {
  for (int round = 0; round < 10; ++round) check_caps(6);
}

/// So many classes that pairs are hashed rather than tabulated.
RC_GTEST_PROP(MakeBalance, FollowsTheMethodWithManyClasses, ()) {
  check_caps(3000);
}

RC_GTEST_PROP(WaterLevel, IsTheSmallest, ()) {
  const auto sizes = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 20));
  const auto total = balance_gen::pick<std::int64_t>(0, 200);
  const auto filled = [&](std::int64_t level) {
    std::int64_t sum = 0;
    for (const auto size : sizes) sum += std::min(size, level);
    return sum;
  };
  const auto level = pith::water_level(sizes, total);
  const auto wanted = std::min(total, filled(1000));
  RC_ASSERT(filled(level) >= wanted);
  if (level > 0) RC_ASSERT(filled(level - 1) < wanted);
}

/// slack written with one or two decimals: the cap is that of exact decimal arithmetic.
RC_GTEST_PROP(SlackTimes, IsExactForDecimals, ()) {
  const auto hundredths = balance_gen::pick<std::int64_t>(100, 2000);
  const auto level = balance_gen::pick<std::int64_t>(0, 1000000);
  const double slack = static_cast<double>(hundredths) / 100;
  RC_ASSERT(pith::slack_times(slack, level) == (hundredths * level + 99) / 100);
}

}  // namespace

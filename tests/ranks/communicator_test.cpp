#include <gtest/gtest.h>

#include "base/rng.h"
#include "pith/error.h"
#include "ranks/item_set.h"
#include "ranks/order_statistic.h"
#include "ranks/rank_input_reader.h"
#include "ranks/row_blocks.h"
#include "ranks/thread_communicator.h"
#include "ranks/together.h"

namespace pith {
namespace {

TEST(thread_communicator, collectives_on_one_to_eight_ranks) {
  for (int size = 1; size <= 8; ++size)
    run_ranks(size, [&](Communicator& ranks) {
      const auto me = static_cast<std::uint64_t>(ranks.rank());
      std::vector<std::vector<std::uint64_t>> outgoing;
      for (int to = 0; to < size; ++to)
        outgoing.emplace_back(static_cast<std::size_t>(to), 100 * me + static_cast<std::uint64_t>(to));
      const auto incoming = swap_between(ranks, outgoing);
      for (std::size_t from = 0; from < incoming.size(); ++from)
        ASSERT_EQ(incoming[from], std::vector<std::uint64_t>(me, 100 * from + me));
      std::vector<std::uint64_t> wanted;
      for (std::uint64_t rank = 0; rank < static_cast<std::uint64_t>(size); ++rank)
        wanted.insert(wanted.end(), rank, rank);
      ASSERT_EQ(gather_all(ranks, std::vector<std::uint64_t>(me, me)), wanted);
      ASSERT_EQ(sum_of(ranks, me + 1), static_cast<std::uint64_t>(size * (size + 1) / 2));
      ASSERT_EQ(largest_of(ranks, -static_cast<double>(me)), 0.0);
      const Packet mine(3 + me, std::byte{static_cast<unsigned char>(me)});
      ASSERT_EQ(ranks.broadcast(mine, size - 1),
                Packet(2 + static_cast<std::size_t>(size), std::byte{static_cast<unsigned char>(size - 1)}));
      ranks.barrier();
    });
}

TEST(thread_communicator, messages_pass_round_the_ring_in_order) {
  run_ranks(5, [](Communicator& ranks) {
    const int next = (ranks.rank() + 1) % 5;
    const int before = (ranks.rank() + 4) % 5;
    for (std::uint64_t round = 0; round < 20; ++round) {
      const std::vector<std::uint64_t> out = {round, static_cast<std::uint64_t>(ranks.rank())};
      std::vector<std::uint64_t> in(2);
      const auto receiving = ranks.start_receive(before, std::as_writable_bytes(std::span(in)));
      const auto sending = ranks.start_send(next, std::as_bytes(std::span(out)));
      receiving->wait();
      sending->wait();
      ASSERT_EQ(in, (std::vector<std::uint64_t>{round, static_cast<std::uint64_t>(before)}));
    }
  });
}

TEST(rank_input_reader, zero_rows_are_those_of_all_ranks) {
  const auto zeros_in = [](std::vector<float> values, int size) {
    EmbeddingStats found;
    const Matrix matrix = Matrix::of_floats(values, values.size(), 1, "e");
    run_ranks(size, [&](Communicator& ranks) {
      const pith::Run run;  // the reader refers to it
      RankInputReader reader(ranks, run);
      const EmbeddingStats stats = reader.check(matrix);
      if (ranks.rank() == size - 1) found = stats;
    });
    return std::pair(found.zero_vectors, found.first_zero_vector);
  };
  for (int size = 1; size <= 5; ++size) {
    EXPECT_EQ(zeros_in({1, 2, 3, 0, 4, 0, 0, 5}, size),
              std::pair(std::size_t{3}, std::optional<std::size_t>(3)));
    EXPECT_EQ(zeros_in({1, 2, 3, 4}, size), std::pair(std::size_t{0}, std::optional<std::size_t>()));
  }
}

/// A rank that fails, or ends the job, wakes those who wait for it; its own error is what comes out.
TEST(thread_communicator, nobody_hangs_when_a_rank_fails) {
  for (int failing = 0; failing < 4; ++failing) {
    const auto run = [&](bool throws) {
      run_ranks(4, [&](Communicator& ranks) {
        ranks.barrier();
        if (ranks.rank() == failing) {
          if (throws) throw Error(ErrorKind::io, "disk full");
          ranks.abort(4, "disk full");
        }
        ranks.barrier();
      });
    };
    EXPECT_THROW(run(true), Error);
    EXPECT_THROW(run(false), JobAborted);
  }
}

TEST(together, all_ranks_throw_what_the_lowest_failing_one_does) {
  std::vector<std::string> thrown(4);
  run_ranks(4, [&](Communicator& ranks) {
    ASSERT_EQ(together(ranks, [&] { return ranks.rank() + 1; }), ranks.rank() + 1);
    try {
      static_cast<void>(together(ranks, [&]() -> int {
        if (ranks.rank() >= 2)
          throw Error(ErrorKind::bad_input, "row " + std::to_string(ranks.rank()) + " is bad");
        return 0;
      }));
    } catch (const SharedError& error) {
      if (error.kind() == ErrorKind::bad_input) thrown[static_cast<std::size_t>(ranks.rank())] = error.what();
    }
    ranks.barrier();
  });
  EXPECT_EQ(thrown, std::vector<std::string>(4, "row 2 is bad"));
}

TEST(order_statistic, is_that_of_the_sorted_whole) {
  for (int size = 1; size <= 5; ++size) {
    std::vector<double> all;
    for (std::size_t at = 0; at < 37; ++at) all.push_back(static_cast<double>(at * 7 % 5) / 3);
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    run_ranks(size, [&](Communicator& ranks) {
      std::vector<double> mine;
      for (std::size_t at = 0; at < all.size(); ++at)
        if (at % static_cast<std::size_t>(size) == static_cast<std::size_t>(ranks.rank()))
          mine.push_back(all[at]);
      std::sort(mine.begin(), mine.end());
      for (std::size_t place = 0; place < all.size(); ++place)
        ASSERT_EQ(order_statistic(ranks, mine, place), sorted[place]);
    });
  }
}

TEST(item_set, places_are_those_in_the_sorted_list) {
  Rng rng(7);
  for (const std::size_t items : {1UL, 63UL, 64UL, 65UL, 700UL})
    for (const std::size_t one_in : {1UL, 2UL, 50UL}) {
      ItemSet set(items);
      std::vector<Item> sorted;
      for (Item item = 0; item < items; ++item)
        if (rng.below(one_in) == 0) sorted.push_back(item);
      for (std::size_t at = sorted.size(); at-- > 0;) set.insert(sorted[at]);
      set.count_up();
      EXPECT_EQ(set.size(), sorted.size());
      EXPECT_EQ(set.items(), sorted);
      for (Item item = 0; item < items; ++item) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), item);
        const bool in_it = at != sorted.end() && *at == item;
        const auto wanted = in_it ? std::optional(static_cast<Item>(at - sorted.begin())) : std::nullopt;
        ASSERT_EQ(set.place_of(item), wanted);
      }
    }
}

TEST(row_blocks, cover_every_item_once_with_the_right_owner) {
  for (std::size_t items = 0; items < 40; ++items)
    for (int ranks = 1; ranks <= 9; ++ranks) {
      const RowBlocks blocks(items, ranks);
      std::size_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(blocks.begin(rank), next);
        for (; next < blocks.end(rank); ++next) ASSERT_EQ(blocks.owner(static_cast<Item>(next)), rank);
      }
      ASSERT_EQ(next, items);
    }
}

}  // namespace
}  // namespace pith

#include "support/cli_case.h"

// Data that is odd but not wrong: every strategy chooses exactly as many items as asked for.
namespace pith::testing {
namespace {

class OddData : public CliCase {
 protected:
  void expect_all_strategies(Data data, const Arguments& more = {}) {
    use(std::move(data));
    const std::size_t half = std::max<std::size_t>(1, data_.items / 2);
    const std::vector<std::size_t> budgets =
        more.empty() ? std::vector<std::size_t>{1, half, data_.items} : std::vector<std::size_t>{half};
    for (const std::string& strategy : all_strategies())
      for (const std::size_t budget : budgets) {
        SCOPED_TRACE(strategy + " " + std::to_string(budget));
        const Results results =
            selected(Arguments{"--strategy", strategy, "--budget", std::to_string(budget)} + more);
        EXPECT_EQ(results.indices.size(), budget);
      }
    EXPECT_EQ(selected(Arguments{"--budget", "100%"} + more).indices.size(), data_.items);
  }
};

TEST_F(OddData, constant_embeddings) {
  Data data = make_data(30, 4, 3, 1);
  std::fill(data.embeddings.begin(), data.embeddings.end(), 0.5F);
  expect_all_strategies(data);
  for (const char* metric : {"l2", "l1"}) expect_all_strategies(data, {"--metric", metric});
}

TEST_F(OddData, exact_duplicates) {
  Data data = make_data(40, 4, 3, 2);
  std::copy_n(data.embeddings.begin(), 80, data.embeddings.begin() + 80);
  std::copy_n(data.probs.begin(), 60, data.probs.begin() + 60);
  expect_all_strategies(data);
  for (const char* metric : {"l2", "l1"}) expect_all_strategies(data, {"--metric", metric});
}

TEST_F(OddData, zero_vectors) {
  Data data = make_data(30, 4, 3, 3);
  std::fill_n(data.embeddings.begin(), 4 * 12, 0.0F);
  expect_all_strategies(data);
  std::fill(data.embeddings.begin(), data.embeddings.end(), 0.0F);
  expect_all_strategies(data);
}

TEST_F(OddData, zero_vectors_are_told) {
  Data data = make_data(30, 4, 3, 3);
  const auto told = [&] { return select({"--budget", "9"}).out; };
  use(data);
  EXPECT_THAT(told(), ::testing::Not(::testing::HasSubstr("zero rows")));
  EXPECT_FALSE(selected({"--budget", "9"}).summary.at("inputs").at("embeddings").contains("zero_vectors"));
  for (const std::size_t row : {25U, 7U, 19U})
    std::fill_n(data.embeddings.begin() + static_cast<std::ptrdiff_t>(4 * row), 4, 0.0F);
  use(data);
  EXPECT_THAT(told(), ::testing::HasSubstr("zero rows    3 in " + path("e.npy") +
                                           " (first: row 7)  ! a zero vector"));
  const Json noted = selected({"--budget", "9"}).summary.at("inputs").at("embeddings");
  EXPECT_EQ(noted.at("zero_vectors"), 3);
  EXPECT_EQ(noted.at("first_zero_vector"), 7);
}

TEST_F(OddData, one_item) {
  expect_all_strategies(make_data(1, 4, 3, 4));
  EXPECT_EQ(selected({"--budget", "1"}).summary.at("graph").at("neighbors"), 0);
}

TEST_F(OddData, two_items) {
  expect_all_strategies(make_data(2, 4, 3, 4));
}

TEST_F(OddData, two_classes) {
  expect_all_strategies(make_data(30, 4, 2, 5));
}

TEST_F(OddData, a_class_nobody_predicts) {
  Data data = make_data(30, 4, 3, 6);
  for (std::size_t item = 0; item < 30; ++item) {
    data.probs[item * 3] += data.probs[item * 3 + 1];
    data.probs[item * 3 + 1] = 0;
  }
  expect_all_strategies(data);
}

TEST_F(OddData, one_dimension) {
  expect_all_strategies(make_data(30, 1, 3, 7));
  expect_all_strategies(make_data(30, 1, 3, 7), {"--metric", "l1"});
}

TEST_F(OddData, fewer_items_than_default_neighbours) {
  expect_all_strategies(make_data(7, 4, 3, 8));
  EXPECT_EQ(selected({"--budget", "1"}).summary.at("graph").at("neighbors"), 6);
}

TEST_F(OddData, one_hot_and_uniform_probabilities) {
  Data data = make_data(30, 4, 3, 9);
  for (std::size_t item = 0; item < 30; ++item)
    for (std::size_t c = 0; c < 3; ++c) data.probs[item * 3 + c] = c == item % 3 ? 1 : 0;
  expect_all_strategies(data);
  std::fill(data.probs.begin(), data.probs.end(), 1.0 / 3);
  expect_all_strategies(data);
}

TEST_F(OddData, more_classes_than_items) {
  expect_all_strategies(make_data(9, 4, 40, 10));
}

TEST_F(OddData, extreme_sizes_of_numbers) {
  for (const float scale : {1e37F, 1e-37F}) {
    Data data = make_data(30, 4, 3, 11);
    for (float& value : data.embeddings) value *= scale;
    for (const char* metric : {"cosine", "l2", "l1"}) expect_all_strategies(data, {"--metric", metric});
  }
}

TEST_F(OddData, everything_else_labelled_or_excluded) {
  std::string text;
  for (int item = 0; item < 59; ++item) text += std::to_string(item) + "\n";
  write("x.txt", text);
  for (const char* option : {"--labelled", "--exclude"})
    for (const std::string& strategy : all_strategies()) {
      SCOPED_TRACE(option + strategy);
      const Results results = selected({"--strategy", strategy, "--budget", "1", option, path("x.txt")});
      EXPECT_EQ(results.indices, std::vector<std::int64_t>{59});
    }
}

TEST_F(OddData, extreme_weights) {
  for (const char* lambda : {"0,0,0", "1,0,0", "0,1,0", "0,0,1", "1e30,1e-30,1"})
    for (const char* scale : {"max", "none"}) {
      SCOPED_TRACE(lambda);
      EXPECT_EQ(selected({"--budget", "20", "--lambda", lambda, "--triple-scale", scale}).indices.size(),
                20U);
    }
  EXPECT_THAT(select({"--budget", "20", "--lambda", "0,0,0"}).out,
              ::testing::HasSubstr("quality      nothing to tell sets apart by: f is 0 for all of them\n"));
  for (const char* tau : {"0", "1"})
    EXPECT_EQ(selected({"--budget", "20", "--tau", tau}).indices.size(), 20U);
  for (const char* quantile : {"0", "1"})
    EXPECT_EQ(selected({"--budget", "20", "--area-quantile", quantile}).indices.size(), 20U);
}

}  // namespace
}  // namespace pith::testing

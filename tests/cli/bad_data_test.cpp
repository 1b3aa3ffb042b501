#include <limits>

#include "support/cli_case.h"

namespace pith::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

class BadData : public CliCase {
 protected:
  using Parts = std::initializer_list<std::string_view>;

  void refuse(Parts parts, const Arguments& more = {}) const {
    for (const char* strategy : {"submod-bal", "k-center", "random"})
      expect_refused(select(Arguments{"--budget", "6", "--strategy", strategy} + more), 3, parts);
  }
  void refuse_prob(std::size_t row, std::size_t col, double value, Parts parts, const Arguments& more = {}) {
    auto probs = data_.probs;
    probs[row * data_.classes + col] = value;
    write("p.npy", npy_f8(probs, data_.items));
    refuse(parts, more);
  }
  void refuse_embedding(std::size_t row, std::size_t col, float value, Parts parts) {
    auto rows = data_.embeddings;
    rows[row * data_.dimension + col] = value;
    write("e.npy", npy_f4(rows, data_.items));
    refuse(parts);
  }
  /// Both inputs are read with the same care.
  void refuse_file(const std::string& bytes, Parts parts) {
    for (const char* name : {"e.npy", "p.npy"}) {
      SCOPED_TRACE(name);
      use(data_);
      write(name, bytes);
      expect_refused(select({"--budget", "6"}), 3, parts);
      EXPECT_THAT(select({"--budget", "6"}).err, ::testing::HasSubstr(name));
    }
  }
};

TEST_F(BadData, embeddings_that_are_not_finite) {
  refuse_embedding(17, 3, static_cast<float>(nan),
                   {"e.npy", "row 17", "column 3", "nan", "leave the item out"});
  refuse_embedding(0, 0, static_cast<float>(inf), {"e.npy", "row 0", "column 0", "inf"});
  refuse_embedding(59, 4, -static_cast<float>(inf), {"e.npy", "row 59", "column 4", "-inf"});
}

TEST_F(BadData, embeddings_beyond_a_float) {
  std::vector<double> wide(data_.embeddings.begin(), data_.embeddings.end());
  wide[7] = 1e300;
  write("e.npy", npy_f8(wide, data_.items));
  refuse({"e.npy", "row 1", "column 2", "1e+300", "scale"});
}

TEST_F(BadData, probabilities_given_as_logits) {
  refuse({"p.npy", "sum to 1", "leave out --logits"}, {"--logits"});
}

TEST_F(BadData, labels_in_the_place_of_a_matrix) {
  refuse_file(npy_file("<i8", "(60,)", std::string(60 * 8, '\0')),
              {"a list of 60 whole numbers", "labels", "class probabilities"});
}

TEST_F(BadData, probabilities_that_are_not_finite) {
  refuse_prob(17, 3, nan, {"p.npy", "row 17", "column 3", "nan"});
  refuse_prob(17, 3, inf, {"p.npy", "row 17", "column 3", "inf"});
  refuse_prob(17, 3, nan, {"p.npy", "row 17", "column 3", "nan", "logits"}, {"--logits"});
  refuse_prob(17, 3, -inf, {"p.npy", "row 17", "column 3", "-inf", "logits"}, {"--logits"});
}

TEST_F(BadData, negative_probabilities) {
  refuse_prob(5, 1, -0.25, {"p.npy", "row 5", "column 1", "-0.25", "--logits"});
}

TEST_F(BadData, probabilities_that_do_not_sum_to_one) {
  refuse_prob(5, 1, 3.5, {"p.npy", "row 5", "sums to", "--logits"});
}

TEST_F(BadData, the_first_bad_row_is_named_whatever_the_threads) {
  auto probs = data_.probs;
  probs[20 * 4] = -1;
  probs[3 * 4 + 2] = nan;
  write("p.npy", npy_f8(probs, data_.items));
  for (const char* threads : {"1", "4"}) refuse({"row 3", "column 2"}, {"--threads", threads});
}

TEST_F(BadData, different_row_counts) {
  const Data more = make_data(61, 5, 4, 1);
  write("p.npy", npy_f8(more.probs, 61));
  refuse({"e.npy", "60", "p.npy", "61", "same items"});
}

TEST_F(BadData, one_class) {
  write("p.npy", npy_f8(std::vector<double>(60, 1.0), 60));
  refuse({"p.npy", "one class", "at least two"});
}

TEST_F(BadData, empty_files) {
  refuse_file("", {"empty"});
  refuse_file(npy_file("<f4", "(0, 5)", ""), {"(0, 5)", "empty"});
  refuse_file(npy_file("<f4", "(60, 0)", ""), {"(60, 0)", "empty"});
}

TEST_F(BadData, truncated_files) {
  const std::string good = npy_f4(data_.embeddings, data_.items);
  for (const std::size_t length : {3, 7, 9, 40}) refuse_file(good.substr(0, length), {});
  refuse_file(good.substr(0, good.size() - 1), {"truncated", "(60, 5)", "1200", "1199"});
}

TEST_F(BadData, lying_headers) {
  const std::string some = raw(data_.embeddings);
  refuse_file(npy_file("<f4", "(60000, 5)", some), {"(60000, 5)", "1200000", "1200"});
  refuse_file(npy_file("<f4", "(4294967296, 4294967296)", some), {"too large"});
  refuse_file(npy_file("<f4", "(9223372036854775807, 2)", some), {"too large"});
  refuse_file(npy_file("<f8", "(4294967290, 4294967290)", some), {"overflow"});
  refuse_file(npy_file("<f4", "(99999999999999999999, 2)", some), {"shape"});
  refuse_file(npy_file("<f4", "(-60, 5)", some), {"shape"});
  refuse_file(npy_file("<f4", "(10, 5)", some), {"1000 bytes follow"});
  refuse_file(npy_file("<f4", "(300,)", some), {"1-D", "reshape"});
  refuse_file(npy_file("<f4", "(10, 5, 6)", some), {"3-D", "reshape"});
  refuse_file(npy_file("<i8", "(60, 5)", some), {"i8"});
  refuse_file(npy_file("|O", "(60, 5)", some), {"Python objects"});
  refuse_file("\x93NUMPY\x09", {});
  refuse_file("hello, I am no array\n", {});
}

TEST_F(BadData, more_neighbours_than_items) {
  expect_refused(select({"--budget", "6", "--neighbors", "60"}), 2, {"--neighbors", "60", "59"});
  expect_refused(select({"--budget", "6", "--neighbors", "4000000000"}), 2,
                 {"--neighbors", "4000000000", "59"});
}

TEST_F(BadData, csv_errors_name_the_line) {
  std::string csv = "a,b,c\n1,2,3\n4,x,6\n";
  const std::string probs = "0.5,0.5\n0.25,0.75\n";
  write("p.csv", probs);
  const auto run = [&](const std::string& contents) {
    write("e.csv", contents);
    return run_pith({"select", "--embeddings", path("e.csv"), "--probs", path("p.csv"), "--budget", "1",
                     "--out", path("out")});
  };
  expect_refused(run(csv), 3, {"e.csv", "line 3", "x"});
  expect_refused(run("1,2,3\n4,5\n"), 3, {"e.csv", "line 2"});
  expect_refused(run(""), 3, {"e.csv", "empty"});
  expect_refused(run("1,2,nan\n4,5,6\n"), 3, {"e.csv", "nan"});
}

TEST_F(BadData, the_other_commands_refuse_it_too) {
  data_.embeddings[7] = static_cast<float>(nan);
  use(data_);
  expect_refused(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("out")}), 3,
                 {"e.npy", "row 1", "column 2", "nan"});
  expect_refused(run_pith({"info", "--embeddings", path("e.npy")}), 3, {"e.npy", "row 1", "column 2", "nan"});
  write("p.npy", npy_f8(std::vector<double>(60, 1.0), 60));
  expect_refused(run_pith({"info", "--probs", path("p.npy")}), 3, {"p.npy", "one class"});
}

}  // namespace
}  // namespace pith::testing

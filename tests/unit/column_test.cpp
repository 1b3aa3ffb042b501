#include "data/column.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/files.h"

namespace pith {
namespace {

using testing::expect_bad_input;
using testing::npy_file;

using Numbers = std::vector<double>;

Numbers parse(const std::string& text, const std::string& name, std::size_t items,
              const std::string& column = "", ColumnRange range = ColumnRange::not_negative) {
  return parse_column(testing::bytes_of_text(text, name), column, items, range);
}

TEST(Column, numbers_of_an_array_whatever_their_type) {
  const std::string integers("\x05\x00\x07\x00\x00\x00", 6);
  EXPECT_EQ(parse(npy_file("<i2", "(3,)", integers), "s.npy", 3), (Numbers{5, 7, 0}));
  EXPECT_EQ(parse(npy_file("<i2", "(3, 1)", integers), "s.npy", 3), (Numbers{5, 7, 0}));
  const std::string halves("\x00\x3c\x00\x40", 4);
  EXPECT_EQ(parse(npy_file("<f2", "(2,)", halves), "s.npy", 2), (Numbers{1, 2}));
  EXPECT_EQ(parse(npy_file("<f2", "(2, 1)", halves), "s.npy", 2), (Numbers{1, 2}));
  expect_bad_input({"s.npy", "(1, 3)", "no column"},
                   [&] { parse(npy_file("<i2", "(1, 3)", integers), "s.npy", 3); });
  expect_bad_input({"s.npy", "3 numbers for 4 items"},
                   [&] { parse(npy_file("<i2", "(3, 1)", integers), "s.npy", 4); });
}

TEST(Column, a_column_found_by_its_name_has_a_header) {
  const std::string table = "0,1\n3,4\n5,6\n";  // as pandas writes columns that have no names
  EXPECT_EQ(parse(table, "c.csv", 2, "0"), (Numbers{3, 5}));
  EXPECT_EQ(parse(table, "c.csv", 2, "1"), (Numbers{4, 6}));
  EXPECT_EQ(parse("worth\n3\n5\n", "c.csv", 2), (Numbers{3, 5}));
  EXPECT_EQ(parse("3\n5\n", "c.csv", 2), (Numbers{3, 5}));
  expect_bad_input({"c.csv", "'2'", "'0', '1'"}, [&] { parse(table, "c.csv", 2, "2"); });
}

TEST(Column, rows_have_as_many_columns_as_the_first) {
  expect_bad_input({"c.csv", "line 2: expected 1 columns", "found 2", "decimals a point"},
                   [&] { parse("cost\n1,5\n2,5\n", "c.csv", 2); });
  expect_bad_input({"c.csv", "line 3: expected 2 columns", "found 1"},
                   [&] { parse("a,b\n1,5\n2\n", "c.csv", 2, "a"); });
  expect_bad_input({"s.npy", "(1, 3)", "array.ravel()"},
                   [&] { parse(npy_file("<i2", "(1, 3)", std::string(6, '\0')), "s.npy", 3); });
}

TEST(Column, a_plus_may_stand_before_a_number) {
  EXPECT_EQ(parse("+3\n+5e0\n", "c.csv", 2), (Numbers{3, 5}));
  EXPECT_EQ(parse("worth\n+.5\n", "c.csv", 1), (Numbers{0.5}));
  for (const char* text : {"3\n+\n", "3\n++5\n", "3\n+-5\n"})
    expect_bad_input({"c.csv", "line 2", "not a number"}, [&] { parse(text, "c.csv", 2); });
}

TEST(Column, what_is_out_of_range_is_named) {
  expect_bad_input({"c.csv", "line 2", "-1", "at least 0"}, [&] { parse("3\n-1\n", "c.csv", 2); });
  expect_bad_input({"c.csv", "line 2", "0", "above 0"},
                   [&] { parse("3\n0\n", "c.csv", 2, "", ColumnRange::positive); });
  expect_bad_input({"c.csv", "line 1", "nan", "finite"}, [&] { parse("nan\n3\n", "c.csv", 2); });
}

TEST(Column, numbers_beyond_what_a_double_holds_are_read_as_everywhere_else) {
  EXPECT_EQ(parse("3\n1e-400\n", "c.csv", 2), (Numbers{3, 0}));
  expect_bad_input({"c.csv", "line 2", "finite"}, [&] { parse("3\n1e309\n", "c.csv", 2); });
}

}  // namespace
}  // namespace pith

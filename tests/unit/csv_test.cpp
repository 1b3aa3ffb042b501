#include "data/readers/csv.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/delimited.h"
#include "pith/read.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using namespace testing;

class Csv : public ::testing::Test {
 protected:
  Matrix read(std::string_view contents, std::string_view name = "a.csv") const {
    return read_matrix(dir_.write(name, contents));
  }
  void expect_refused(std::string_view contents, std::initializer_list<std::string_view> parts) const {
    expect_bad_input({dir_.path("a.csv")}, [&] { (void)read(contents); });
    expect_bad_input(parts, [&] { (void)read(contents); });
  }

  TempDir dir_;
};

const std::vector<double> expected = {1.0, -2.5, 0.5, 3.0, 0.25, 100.0};

TEST_F(Csv, HeadersQuotesAndLineEndsDoNotChangeTheNumbers) {
  for (const char* name : {"plain", "header", "crlf", "quoted"}) {
    const Matrix matrix = read_matrix(corpus_path("csv/" + std::string(name) + ".csv"));
    EXPECT_EQ(matrix.rows(), 2U) << name;
    EXPECT_EQ(matrix.cols(), 3U) << name;
    EXPECT_EQ(all_values(matrix), expected) << name;
    EXPECT_NE(matrix.view.as_floats(), nullptr);
  }
}

TEST_F(Csv, SourceIsThePath) {
  EXPECT_EQ(read("1,2\n").source, dir_.path("a.csv"));
}

TEST_F(Csv, NumbersRoundToTheNearestFloat) {
  EXPECT_EQ(all_floats(read("0.1,1e-3,16777217,3.4028235e38\n")),
            (std::vector<float>{0.1F, 1e-3F, 16777216.0F, 3.4028235e38F}));
}

TEST_F(Csv, SingleCellsAndColumns) {
  EXPECT_EQ(all_values(read("5")), std::vector<double>{5});
  EXPECT_EQ(all_values(read("x\n5\n6")), (std::vector<double>{5, 6}));
}

TEST_F(Csv, ByteOrderMarkIsSkipped) {
  EXPECT_EQ(all_values(read("\xef\xbb\xbf"
                            "1,2\r\n")),
            (std::vector<double>{1, 2}));
}

TEST_F(Csv, TabsSeparateInTsv) {
  EXPECT_EQ(all_values(read("x\ty\n1\t2\n 3 \t4\n", "a.tsv")), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(all_values(read("1\t2\n3\t4", "A.TSV")), (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(Csv, NonFiniteNumbersAreNumbers) {
  const std::vector<double> values = all_values(read("nan,inf\n-Infinity,NaN\n"));
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[3]));
  EXPECT_TRUE(std::isinf(values[1]) && values[1] > 0);
  EXPECT_TRUE(std::isinf(values[2]) && values[2] < 0);
}

TEST_F(Csv, RaggedRowsNameLineAndCounts) {
  expect_refused("1,2,3\n4,5,6\n7,8\n", {"line 3: expected 3 columns", "found 2"});
  expect_refused("a,b\n1,2,3\n", {"line 2: expected 2 columns", "found 3"});
}

TEST_F(Csv, TextNamesLineColumnAndValue) {
  expect_refused("1,2\n3,four\n", {"line 2, column 2: 'four' is not a number"});
  expect_refused("x,y\n1,2\n3,\n", {"line 3, column 2 ('y'): '' is not a number"});
  expect_refused("x,y\n1,2\n\"a\nb\",3\n", {"line 3, column 1 ('x'): 'a\\x0ab' is not a number"});
}

TEST_F(Csv, LinesCountThoseInsideQuotes) {
  expect_refused("\"x\n\n\",y\n1,2\nz,4\n", {"line 5, column 1", "'z'"});
}

TEST_F(Csv, NumbersBeyondFloatAreRefused) {
  expect_refused("1,2\n3,-1e39\n", {"line 2, column 2: '-1e39' is beyond the range", "scale"});
}

TEST_F(Csv, RowsThatVanishInFloatsAreRefused) {
  EXPECT_EQ(read("a,b\n1e-50,1\n0,0e9\n0.000,-0\n").rows(), 3U);
  expect_refused("0,1\n0,-3e-50\n", {"line 2", "too small for 32-bit floats", "scale"});
  expect_refused("0,0.00000000000000000000000000000000000000000000000001\n", {"line 1", "too small"});
}

TEST_F(Csv, BlankLinesMayOnlyEndTheFile) {
  EXPECT_EQ(read("1,2\n3,4\n\n \r\n\n").rows(), 2U);
  expect_refused("1,2\n\n3,4\n", {"line 2 is blank", "remove"});
  expect_refused("\n1,2\n", {"line 1 is blank"});
}

TEST_F(Csv, NothingToReadIsRefused) {
  expect_refused("", {"empty file"});
  expect_refused("\n\n", {"empty file"});
  expect_refused("x,y\n", {"no rows", "a header"});
}

TEST_F(Csv, BrokenQuotesNameTheLine) {
  expect_refused("1,2\n\"3,4\n5,6\n", {"line 2: a quoted field is never closed"});
  expect_refused("1,2\n\"3\"x,4\n", {"line 2: text follows the closing quote of '3'"});
}

TEST_F(Csv, AFirstRowWithMissingValuesIsNoHeader) {
  expect_refused("1.0,,3.0\n2,3,4\n", {"line 1, column 2: '' is not a number"});
  expect_refused("n/a,2.5,3\n2,3,4\n", {"line 1, column 1: 'n/a' is not a number"});
  expect_refused("0.3x,0.7\n0.5,0.5\n", {"line 1, column 1: '0.3x' is not a number"});
  EXPECT_EQ(read("1st,2nd\n5,6\n").rows(), 1U) << "no number at all";
  expect_refused("1,2,\n3,4,\n", {"line 1, column 3: '' is not a number"});
  EXPECT_EQ(read("dim 0,1,2\n5,6,7\n").rows(), 1U) << "a word makes it one";
}

TEST_F(Csv, NumberedColumnsAndRowsOfATableAreNoValues) {
  expect_refused("0,1,2\n0.5,0.25,0.75\n", {"line 1 counts 0, 1, 2", "header=False"});
  EXPECT_EQ(read("0,1\n1,0\n").rows(), 2U) << "probabilities of two classes";
  EXPECT_EQ(read("x,y,z\n0,1,2\n").rows(), 1U);
  expect_refused(",0,1\n0,0.5,0.25\n1,0.75,0.5\n",
                 {"column 1 ('') numbers the rows (0, 1, ...)", "index=False"});
  expect_refused("id,a\n1,0.5\n2,0.5\n", {"column 1 ('id') numbers the rows (1, 2, ...)"});
  EXPECT_EQ(read("a,b\n0,0.5\n1,0.5\n").cols(), 2U);
  EXPECT_EQ(read("id,b\n0,0.5\n1.5,0.5\n").cols(), 2U);
}

TEST_F(Csv, OtherDelimitersAreNamed) {
  expect_refused("1;2\n3;4\n", {"line 1: numbers are separated by ';', not by ','", "delimiter=','"});
  expect_refused("a;b\n3;4\n", {"line 2: numbers are separated by ';'"});
  expect_refused("1.5e+00 2.5e+00\n", {"line 1: numbers are separated by blanks"});
  expect_refused("1\t2\n", {"separated by tabs"});
  expect_bad_input({"line 1: numbers are separated by ',', not by tabs", "delimiter='\\t'"},
                   [&] { (void)read("1,2\n", "a.tsv"); });
}

TEST(Delimited, FieldsAsWritten) {
  const Bytes file = bytes_of_text("a, \"b \"\"c\"\"\" ,\"d,e\"\r\n,\n\"\"\nlast", "x");
  DelimitedReader reader(file, ',');
  std::vector<std::string_view> fields;
  ASSERT_TRUE(reader.next(fields));
  EXPECT_THAT(fields, ::testing::ElementsAre("a", "b \"c\"", "d,e"));
  EXPECT_EQ(reader.line(), 1U);
  ASSERT_TRUE(reader.next(fields));
  EXPECT_THAT(fields, ::testing::ElementsAre("", ""));
  ASSERT_TRUE(reader.next(fields));
  EXPECT_THAT(fields, ::testing::ElementsAre(""));
  ASSERT_TRUE(reader.next(fields));
  EXPECT_THAT(fields, ::testing::ElementsAre("last"));
  EXPECT_EQ(reader.line(), 4U);
  EXPECT_FALSE(reader.next(fields));
  EXPECT_FALSE(reader.next(fields));
}

}  // namespace
}  // namespace pith

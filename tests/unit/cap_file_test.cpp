#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "constraint/balance.h"
#include "pith/error.h"
#include "support/temp_dir.h"

namespace {

using pith::BalanceKind;
using pith::ErrorKind;
using testing::HasSubstr;
using Caps = std::vector<std::int64_t>;

/// Six items: three of pair {0,1}, two of {0,2}, one of {1,2}.
pith::Predictions six_items() {
  return {.classes = 3,
          .best = {0, 0, 1, 0, 2, 1},
          .second = {1, 1, 0, 2, 0, 2},
          .margin = {1, 1, 1, 1, 1, 1},
          .other_uncertainty = {}};
}

class CapFiles : public testing::Test {
 protected:
  pith::Balance balance(bool of_classes, const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return balance_of_path(of_classes);
  }
  pith::Balance balance_of_path(bool of_classes) {
    pith::BalanceOptions options;
    if (of_classes) {
      options.class_cap = pith::CapFile{path_};
    } else {
      options.boundary_cap = pith::CapFile{path_};
    }
    return pith::make_balance(six_items(), pith::Pool::of_all(6), 4, BalanceKind::both, options);
  }
  Caps class_caps(const std::string& text) { return balance(true, text).classes.cap; }
  Caps boundary_caps(const std::string& text) { return balance(false, text).boundaries.cap; }

  void expect_refused(bool of_classes, const std::string& text, const std::string& message) {
    SCOPED_TRACE(text);
    try {
      (void)balance(of_classes, text);
      ADD_FAILURE() << "accepted";
    } catch (const pith::Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input);
      EXPECT_EQ(std::string(error.what()), path_ + message);
    }
  }

  pith::testing::TempDir place_;
  std::string path_ = place_.path("caps.csv");
};

TEST_F(CapFiles, SetWhatTheyListAndLeaveTheRest) {
  EXPECT_EQ(class_caps("1,9\n"), (Caps{2, 9, 2}));
  EXPECT_EQ(boundary_caps("0,2,1\n"), (Caps{4, 1, 4}));
  EXPECT_EQ(class_caps(""), (Caps{2, 2, 2}));
}

TEST_F(CapFiles, AllowHeaderCommentsBlanksAndWindows) {
  EXPECT_EQ(class_caps("\xEF\xBB\xBF# caps\r\n\r\nclass,cap\r\n 0 , 5 \r\n2,0 # never\r\n"), (Caps{5, 2, 0}));
  EXPECT_EQ(boundary_caps("a,b,cap\n\n1,0,7"), (Caps{7, 4, 4}));
}

TEST_F(CapFiles, NameABoundaryInEitherOrder) {
  EXPECT_EQ(boundary_caps("2,1,3\n1,0,5\n"), (Caps{5, 4, 3}));
}

TEST_F(CapFiles, IgnoreABoundaryWithoutItems) {
  std::ofstream(path_) << "0,3,1\n0,1,6\n";
  pith::Predictions four = six_items();
  four.classes = 4;
  pith::BalanceOptions options;
  options.boundary_cap = pith::CapFile{path_};
  const auto made = pith::make_balance(four, pith::Pool::of_all(6), 4, BalanceKind::both, options);
  EXPECT_EQ(made.boundaries.cap, (Caps{6, 4, 4}));
}

TEST_F(CapFiles, AreRefusedWithFileLineValueAndRemedy) {
  const std::string in_numbers = " is not a number; write class,cap in whole numbers below 2^63";
  expect_refused(true, "class,cap\n0,many\n", ":2: cap 'many'" + in_numbers);
  expect_refused(true, "0,1.5\n", ":1: cap '1.5'" + in_numbers);
  expect_refused(true, "cat,5\n", ":1: class 'cat'" + in_numbers);
  expect_refused(true, "0,\n", ":1: cap ''" + in_numbers);
  // As UTF-16 reads: the message must not end at its first zero, nor hand a terminal what it would obey.
  expect_refused(true,
                 std::string("a,b\n\0"
                             "0,1\n",
                             9),
                 ":2: class '\\x000'" + in_numbers);
  expect_refused(true, "0,\x1b[2J\n", ":1: cap '\\x1b[2J'" + in_numbers);
  expect_refused(true, "0,99999999999999999999\n", ":1: cap '99999999999999999999'" + in_numbers);
  expect_refused(true, "class,cap\nclass,cap\n", ":2: class 'class'" + in_numbers);
  expect_refused(true, "\n0,-1\n",
                 ":2: cap -1 is negative; use 0 to take none, or leave the line out for the default");
  expect_refused(true, "3,1\n",
                 ":1: class 3 is out of range; the probabilities have 3 columns, so use 0 to 2");
  expect_refused(true, "-1,1\n",
                 ":1: class -1 is out of range; the probabilities have 3 columns, so use 0 to 2");
  expect_refused(true, "0,1\n# x\n0,1\n",
                 ":3: class 0 is repeated, first on line 1; keep one of the two lines");
  expect_refused(true, "0,1,5\n", ":1: found 3 fields where class,cap has 2; write one class,cap a line");
  expect_refused(true, "0\n", ":1: found 1 field where class,cap has 2; write one class,cap a line");
}

TEST_F(CapFiles, OfBoundariesAreRefusedToo) {
  expect_refused(false, "1,1,5\n",
                 ":1: class 1 is paired with itself; a boundary lies between two different classes");
  expect_refused(false, "0,1,5\n1,0,5\n",
                 ":2: boundary 0,1 is repeated, first on line 1; keep one of the two lines");
  expect_refused(false, "0,1\n",
                 ":1: found 2 fields where class,class,cap has 3; write one class,class,cap a line");
  expect_refused(false, "0,9,5\n",
                 ":1: class 9 is out of range; the probabilities have 3 columns, so use 0 to 2");
  expect_refused(false, "0,1,x\n",
                 ":1: cap 'x' is not a number; write class,class,cap in whole numbers below 2^63");
}

TEST_F(CapFiles, ThatCannotBeReadAreIoErrors) {
  const auto expect_io = [&](const char* part) {
    try {
      (void)balance_of_path(true);
      ADD_FAILURE() << "accepted";
    } catch (const pith::Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  };
  expect_io("cannot open the cap file");
  std::filesystem::create_directory(path_);
  expect_io("cannot read the cap file");
}

}  // namespace

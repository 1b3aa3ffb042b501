#include "data/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/suggest.h"

namespace pith {
namespace {

TEST(Text, KnowsWellFormedUtf8) {
  EXPECT_EQ(utf8_sequence_bytes("a"), 1U);
  EXPECT_EQ(utf8_sequence_bytes("\xc3\xa9"), 2U);
  EXPECT_EQ(utf8_sequence_bytes("\xe2\x82\xac!"), 3U);
  EXPECT_EQ(utf8_sequence_bytes("\xf0\x9f\x98\x80"), 4U);
  for (const char* bad : {"", "\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3x", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xe2\x82", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
    EXPECT_EQ(utf8_sequence_bytes(bad), 0U) << printable(bad);
}

TEST(Text, PrintableStaysOnOneLine) {
  EXPECT_EQ(printable("a\nb\t\x7f\xff\xc3\xa9"), "a\\x0ab\\x09\\x7f\\xff\xc3\xa9");
}

TEST(Text, QuotesAreCutBetweenCharacters) {
  EXPECT_EQ(in_quotes("abc"), "'abc'");
  EXPECT_EQ(in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "\xc3\xa9y"), "'" + std::string(59, 'x') + "...'");
}

TEST(Text, ListsAreCutAfterTen) {
  EXPECT_EQ(list_in_quotes(std::vector<std::string>{"a", "b"}), "'a', 'b'");
  EXPECT_TRUE(list_in_quotes(std::vector<std::string>(13, "a")).ends_with("'a' and 3 more"));
}

TEST(Text, Extensions) {
  EXPECT_EQ(extension_of("a/b.NPY"), ".npy");
  EXPECT_EQ(extension_of("a.b/c"), "");
  EXPECT_EQ(extension_of("x.tar.gz"), ".gz");
}

TEST(Text, UnsignedNumbersAreDigitsOnly) {
  EXPECT_EQ(parse_unsigned("0"), 0U);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* bad : {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "18446744073709551616"})
    EXPECT_FALSE(parse_unsigned(bad)) << bad;
}

TEST(Text, FloatsAreWholeFields) {
  EXPECT_EQ(parse_float("+1.5e2"), 150.0F);
  EXPECT_EQ(parse_float("-.5"), -0.5F);
  EXPECT_EQ(parse_float("0.1"), 0.1F);
  EXPECT_TRUE(std::isnan(parse_float("NaN").value()));
  EXPECT_TRUE(std::isinf(parse_float("1e99").value()));
  EXPECT_EQ(parse_float("1e-99"), 0.0F);
  for (const char* bad : {"", "+", "-", "+-1", "++1", "1x", " 1", "1 ", "one", "0x10", "1,2"})
    EXPECT_FALSE(parse_float(bad)) << bad;
}

TEST(Text, control_characters_beyond_ascii_are_controls_too) {
  EXPECT_TRUE(starts_with_control("\x1b[31m"));
  EXPECT_TRUE(
      starts_with_control("\xc2\x9b"
                          "31m"));
  EXPECT_FALSE(starts_with_control("\xc2\xa0"));
  EXPECT_FALSE(starts_with_control("red"));
  EXPECT_FALSE(starts_with_control(""));
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
}

TEST(Text, a_word_is_suggested_for_a_slip_and_not_for_any_other) {
  const std::vector<std::string_view> options = {"--dim", "--items", "--probs", "--embeddings",
                                                 "--neighbors"};
  EXPECT_EQ(nearest_word("--dimension", options), "--dim");
  EXPECT_EQ(nearest_word("--neigbours", options), "--neighbors");
  EXPECT_EQ(nearest_word("--embed", options), "--embeddings");
  EXPECT_EQ(nearest_word("--prob", options), "--probs");
  EXPECT_EQ(nearest_word("--verbose", options), "");
  EXPECT_EQ(nearest_word("--", options), "");
}

}  // namespace
}  // namespace pith

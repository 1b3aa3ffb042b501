#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pipeline/describe_graph.h"
#include "pipeline/option_table.h"
#include "pith/pith.h"
#include "support/errors.h"

namespace pith {
namespace {

using testing::expect_error;

TEST(parse_size, bytes_and_binary_units) {
  const auto size = [](const char* text) { return parse_size("memory", text); };
  EXPECT_EQ(size("67108864"), 67108864U);
  EXPECT_EQ(size("100b"), 100U);
  EXPECT_EQ(size("1K"), 1024U);
  EXPECT_EQ(size("500M"), 500U << 20);
  EXPECT_EQ(size("500MB"), 500U << 20);
  EXPECT_EQ(size("500MiB"), 500U << 20);
  EXPECT_EQ(size("500mib"), 500U << 20);
  EXPECT_EQ(size("4G"), std::uint64_t{4} << 30);
  EXPECT_EQ(size("1.5g"), std::uint64_t{3} << 29);
  EXPECT_EQ(size("2T"), std::uint64_t{2} << 40);
  EXPECT_EQ(size("0"), 0U);
}

TEST(parse_size, says_how_to_write_one) {
  for (const char* text : {"",     "G",      "B", "iB",  "4iB", "4X",  "4GG",  "4 G", "-1G", "+1G",
                           "1,5G", "1.2.3G", ".", "1e9", "nan", "inf", "0x10", "4Gi", "4Bi", "4G "})
    expect_error(ErrorKind::bad_option, {"--memory", std::string(text), "500M or 4G", "1024"},
                 [&] { static_cast<void>(parse_size("memory", text)); });
  for (const char* text : {"99999999999T", "9999999999999999999999", "9223372036854775808"})
    expect_error(ErrorKind::bad_option, {"--memory", text, "4G"},
                 [&] { static_cast<void>(parse_size("memory", text)); });
}

TEST(graph_options, are_checked) {
  const auto problems = [](double recall, std::optional<std::uint64_t> memory) {
    GraphOptions options;
    options.recall = recall;
    options.memory_bytes = memory;
    return options.check().size();
  };
  EXPECT_EQ(problems(0.95, {}), 0U);
  EXPECT_EQ(problems(1, std::uint64_t{64} << 20), 0U);
  EXPECT_EQ(problems(1e-9, ~std::uint64_t{0}), 0U);
  EXPECT_EQ(problems(0, {}), 1U);
  EXPECT_EQ(problems(-1, {}), 1U);
  EXPECT_EQ(problems(1.0001, {}), 1U);
  EXPECT_EQ(problems(std::nan(""), {}), 1U);
  EXPECT_EQ(problems(0.95, (std::uint64_t{64} << 20) - 1), 1U);
  EXPECT_EQ(problems(95, 0), 2U);
  GraphOptions exact;
  exact.knn = Knn::exact;
  exact.recall = 0.5;
  EXPECT_TRUE(exact.check().empty());
}

TEST(graph_options, build_graph_refuses_all_that_is_wrong_at_once) {
  GraphOptions options;
  options.neighbors = 0;
  options.recall = 2;
  options.memory_bytes = 1;
  expect_error(ErrorKind::bad_option, {"--neighbors", "--recall: 2", "--memory: 1 bytes", "64M"}, [&] {
    static_cast<void>(build_graph(Matrix::of_floats({1, 2, 3}, 3, 1, "rows"), options));
  });
}

TEST(describe_search, says_recall_interval_and_reason) {
  GraphInfo info;
  EXPECT_EQ(describe_search(info), "exact");
  info.recall = 1;
  EXPECT_EQ(describe_search(info), "exact, recall 1");
  info.method = "approximate";
  info.recall = 0.97318;
  info.recall_interval = {0.96859, 0.97712};
  info.reason = "quicker";
  EXPECT_EQ(describe_search(info), "approximate, recall 0.9731 (95% interval 0.9685 to 0.9772): quicker");
  info.recall_interval = {0.97, 1};
  info.recall = 0.99999;
  EXPECT_EQ(describe_search(info), "approximate, recall 0.9999 (95% interval 0.9700 to 1): quicker");
  const auto json = search_json(info);
  EXPECT_EQ(json.at("recall_interval").dump(), "[0.97,1.0]");
  EXPECT_EQ(json.at("reason"), "quicker");
  EXPECT_TRUE(search_json(GraphInfo{}).at("recall_interval").is_null());
  EXPECT_TRUE(search_json(GraphInfo{}).at("reason").is_null());
}

}  // namespace
}  // namespace pith

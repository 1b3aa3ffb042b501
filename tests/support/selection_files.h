#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "support/files.h"

// What `pith select` writes, read by readers of the tests' own.
namespace pith::testing {

using Json = nlohmann::json;

/// Records of a CSV file, quotes undone.
inline std::vector<std::vector<std::string>> csv_records(const std::string& text) {
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted && c == '"' && at + 1 < text.size() && text[at + 1] == '"') {
      fields.back() += text[++at];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      fields.emplace_back();
    } else if (!quoted && c == '\n') {
      records.push_back(std::move(fields));
      fields.assign(1, "");
    } else {
      fields.back() += c;
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(fields, std::vector<std::string>(1)) << "no line break at the end";
  return records;
}

/// The integers of an .npy file, whose header must say that they are a vector of int64.
inline std::vector<std::int64_t> int64_npy(const std::string& bytes) {
  const std::size_t header =
      10 + static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
  const std::string text = bytes.substr(10, header - 10);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(header % 64, 0U);
  EXPECT_NE(text.find("'descr': '<i8'"), std::string::npos) << text;
  std::vector<std::int64_t> values((bytes.size() - header) / 8);
  EXPECT_NE(text.find("'shape': (" + std::to_string(values.size()) + ",)"), std::string::npos) << text;
  std::memcpy(values.data(), bytes.data() + header, values.size() * 8);
  EXPECT_EQ(bytes.size(), header + values.size() * 8);
  return values;
}

struct PickLine {
  std::int64_t index = 0;
  std::string id;
  double gain = 0;
  double uncertainty = 0;
  double pair_penalty = 0;
  double triple_gain = 0;
  std::string label;
  std::string boundary;
  std::int64_t represents = 0;
  double score = 0;
  bool augmented = false;
  std::vector<double> others;  ///< shares of the terms beyond the paper's three
};

struct Results {
  std::vector<std::int64_t> indices;
  std::vector<PickLine> picks;
  Json summary;
  std::vector<std::string> other_terms;

  [[nodiscard]] std::set<std::int64_t> set() const { return {indices.begin(), indices.end()}; }
};

constexpr const char* selection_columns =
    "rank,index,id,gain,uncertainty,pair_penalty,triple_gain,class,boundary,represents,score,augmented";

inline Results read_results(const std::string& folder) {
  Results results;
  results.indices = int64_npy(file_contents(folder + "/indices.npy"));
  results.summary = Json::parse(file_contents(folder + "/summary.json"));
  const std::string csv = file_contents(folder + "/selection.csv");
  const auto records = csv_records(csv);
  EXPECT_EQ(csv.substr(0, std::string_view(selection_columns).size()), selection_columns);
  if (records.empty() || records[0].size() < 12) return results;
  results.other_terms.assign(records[0].begin() + 12, records[0].end());
  for (std::size_t row = 1; row < records.size(); ++row) {
    const auto& fields = records[row];
    if (fields.size() != records[0].size()) {
      ADD_FAILURE() << "row " << row << " has " << fields.size() << " fields";
      return results;
    }
    EXPECT_EQ(fields[0], std::to_string(row - 1));
    results.picks.push_back({std::stoll(fields[1]),
                             fields[2],
                             std::stod(fields[3]),
                             std::stod(fields[4]),
                             std::stod(fields[5]),
                             std::stod(fields[6]),
                             fields[7],
                             fields[8],
                             std::stoll(fields[9]),
                             std::stod(fields[10]),
                             fields[11] == "1",
                             {}});
    for (std::size_t at = 12; at < fields.size(); ++at)
      results.picks.back().others.push_back(std::stod(fields[at]));
  }
  return results;
}

/// The rows of one kind of constraint agree with the picks, and no cap in force is exceeded.
inline void expect_groups(const Json& constraints, const char* kind,
                          const std::map<std::string, std::int64_t>& counted) {
  const bool active = constraints.at(std::string(kind) + "_active");
  std::set<std::string> labels;
  for (const Json& row : constraints.at(kind)) {
    const std::string label = row.at("label");
    const std::int64_t selected = row.at("selected");
    EXPECT_TRUE(labels.insert(label).second) << kind << ' ' << label << " twice";
    EXPECT_EQ(selected, counted.contains(label) ? counted.at(label) : 0) << kind << ' ' << label;
    EXPECT_LE(selected, row.at("available").get<std::int64_t>());
    EXPECT_GE(row.at("cap").get<std::int64_t>(), row.at("cap_requested").get<std::int64_t>());
    const std::int64_t room = row.at("cap").get<std::int64_t>() - row.at("labelled").get<std::int64_t>();
    if (active) {
      EXPECT_LE(selected, std::max<std::int64_t>(room, 0)) << kind << ' ' << label;
    }
  }
  for (const auto& [label, count] : counted) EXPECT_TRUE(labels.contains(label)) << kind << ' ' << label;
}

/// Weight of a term as the summary tells it: listed, or by lambda.
inline double weight_of(const Json& options, const std::string& term, std::size_t lambda) {
  if (options.at("term").is_null()) return options.at("lambda")[lambda];
  for (const std::string listed : options.at("term"))
    if (listed.starts_with(term + "=")) return std::stod(listed.substr(term.size() + 1));
  return 0;
}

/// All that must hold between the three files, whatever was selected.
inline void expect_consistent(const Results& results) {
  const Json& summary = results.summary;
  ASSERT_EQ(results.picks.size(), results.indices.size());
  ASSERT_EQ(summary.at("budget").at("selected"), results.indices.size());
  EXPECT_EQ(results.set().size(), results.indices.size()) << "an item was picked twice";

  const double constant = weight_of(summary.at("options"), "diversity", 1) *
                          summary.at("graph").at("max_weighted_degree").get<double>();
  const double uncertainty_weight = weight_of(summary.at("options"), "uncertainty", 0);
  const Json& objective = summary.at("objective");
  const double total = objective.at("total");
  const double near = 1e-9 * std::max(1.0, std::abs(total));
  double gains = 0;
  std::int64_t represents = 0;
  std::int64_t augmented = 0;
  std::map<std::string, std::int64_t> labels;
  std::map<std::string, std::int64_t> boundaries;
  for (std::size_t at = 0; at < results.picks.size(); ++at) {
    const PickLine& pick = results.picks[at];
    EXPECT_EQ(pick.index, results.indices[at]);
    EXPECT_TRUE(std::isfinite(pick.gain));
    EXPECT_GE(pick.gain, -near);
    EXPECT_GE(pick.pair_penalty, -near);
    EXPECT_GE(pick.triple_gain, -near);
    EXPECT_GE(pick.uncertainty, 0);
    EXPECT_LE(pick.uncertainty, 1);
    double others = 0;
    for (const double share : pick.others) others += share;
    EXPECT_NEAR(
        pick.gain,
        uncertainty_weight * pick.uncertainty + constant - pick.pair_penalty + pick.triple_gain + others,
        near);
    EXPECT_GE(pick.represents, 1) << "a pick stands for itself";
    gains += pick.gain;
    represents += pick.represents;
    augmented += pick.augmented ? 1 : 0;
    ++labels[pick.label];
    if (!pick.boundary.empty()) ++boundaries[pick.boundary];
  }
  EXPECT_NEAR(gains, total, near);
  double parts = 0;
  for (const auto& [name, value] : objective.items())
    if (name != "total") parts += value.get<double>();
  EXPECT_NEAR(parts, total, near);
  for (const std::string& term : results.other_terms) EXPECT_TRUE(objective.contains(term)) << term;
  EXPECT_EQ(summary.at("coverage").at("represented"), represents);
  EXPECT_LE(represents, summary.at("items").get<std::int64_t>());
  EXPECT_EQ(summary.at("budget").at("augmented"), augmented);
  EXPECT_GE(summary.at("certificate").at("upper_bound").get<double>(), total);
  EXPECT_LE(summary.at("certificate").at("ratio").get<double>(), 1);
  EXPECT_GT(summary.at("certificate").at("ratio").get<double>(), 0);
  expect_groups(summary.at("constraints"), "class", labels);
  expect_groups(summary.at("constraints"), "boundary", boundaries);
}

}  // namespace pith::testing

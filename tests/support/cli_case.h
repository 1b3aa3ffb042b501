#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>

#include "strategy/registry.h"
#include "support/command.h"
#include "support/selection_files.h"

namespace pith::testing {

/// A small dataset in memory.
struct Data {
  std::size_t items = 0;
  std::size_t dimension = 0;
  std::size_t classes = 0;
  std::vector<float> embeddings;
  std::vector<double> probs;

  [[nodiscard]] double prob(std::size_t item, std::size_t label) const {
    return probs[item * classes + label];
  }
};

/// Clustered rows whose probabilities follow the clusters; later classes are rarer.
inline Data make_data(std::size_t items, std::size_t dimension, std::size_t classes, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<float> normal;
  Data data{items, dimension, classes, {}, {}};
  std::vector<float> centers(classes * dimension);
  for (float& value : centers) value = normal(rng);
  for (std::size_t item = 0; item < items; ++item) {
    const std::size_t label = std::min(rng() % classes, rng() % classes);
    for (std::size_t d = 0; d < dimension; ++d)
      data.embeddings.push_back(centers[label * dimension + d] + 0.6F * normal(rng));
    std::vector<double> row(classes);
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c)
      sum += row[c] = std::exp(1.3 * static_cast<double>(normal(rng)) + (c == label ? 2.0 : 0.0));
    for (const double value : row) data.probs.push_back(value / sum);
  }
  return data;
}

/// Embeddings, probabilities and an output folder in a place of their own.
class CliCase : public ::testing::Test {
 protected:
  void use(Data data) {
    data_ = std::move(data);
    write("e.npy", npy_f4(data_.embeddings, data_.items));
    write("p.npy", npy_f8(data_.probs, data_.items));
  }
  void SetUp() override { use(make_data(60, 5, 4, 1)); }

  std::string write(std::string_view name, std::string_view contents) const {
    return place_.write(name, contents);
  }
  [[nodiscard]] std::string path(std::string_view name) const { return place_.path(name); }

  [[nodiscard]] Arguments inputs(const std::string& out = "out") const {
    return {"select", "--embeddings", path("e.npy"), "--probs", path("p.npy"), "--out", path(out)};
  }
  [[nodiscard]] Outcome select(const Arguments& more, const std::string& out = "out") const {
    return run_pith(inputs(out) + more);
  }
  /// Selects, which must succeed, and reads what was written.
  Results selected(const Arguments& more, const std::string& out = "out") const {
    const Outcome outcome = select(more, out);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    if (outcome.code != 0) return {};
    Results results = read_results(path(out));
    expect_consistent(results);
    return results;
  }

  /// One line on standard error that holds each of `parts`, this exit code, nothing on standard output,
  /// nothing half written.
  void expect_error_line(const Outcome& outcome, int code,
                         std::initializer_list<std::string_view> parts) const {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("pith: ")) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(outcome.err.ends_with('\n')) << outcome.err;
    EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << outcome.err;
    for (const std::string_view part : parts)
      EXPECT_THAT(outcome.err, ::testing::HasSubstr(std::string(part)));
    expect_no_leftovers();
  }
  /// The same, and nothing written to out.
  void expect_refused(const Outcome& outcome, int code, std::initializer_list<std::string_view> parts) const {
    expect_error_line(outcome, code, parts);
    EXPECT_FALSE(std::filesystem::exists(path("out")));
  }
  void expect_no_leftovers() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("")))
      EXPECT_EQ(entry.path().string().find("unfinished"), std::string::npos) << entry.path();
  }

  TempDir place_;
  Data data_;
};

/// Those that run on one model's probabilities; bald and committee want several.
inline const std::vector<std::string>& all_strategies() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const Strategy& strategy : strategies())
      if (strategy.needs_models < 2) found.emplace_back(strategy.name);
    return found;
  }();
  return names;
}

}  // namespace pith::testing

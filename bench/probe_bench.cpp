#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>

#include "base/rng.h"
#include "pith/pith.h"

// Does a choice help a model? A linear classifier is trained on the embeddings and true labels of the picks
// and tested on a fifth of the items that nobody could pick; mean and deviation over folds, for several
// options. It says how good a subset is for a probe on fixed embeddings, not for training a network from
// scratch.
//
//   bench_probe EMBEDDINGS PROBS LABELS [budget] [folds]
//
// LABELS: a byte an item, or two (CIFAR-100: coarse, fine), of which the last counts.

namespace {

using Labels = std::vector<std::uint8_t>;

Labels read_labels(const char* path, std::size_t items) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  const std::size_t width = bytes.size() / items;
  if (width == 0 || bytes.size() != width * items) throw std::runtime_error("labels: a byte or two an item");
  Labels labels;
  for (std::size_t item = 0; item < items; ++item)
    labels.push_back(static_cast<std::uint8_t>(bytes[item * width + width - 1]));
  return labels;
}

/// Multinomial logistic regression by stochastic gradients, rows scaled to length 1 and a bias column.
class Probe {
 public:
  Probe(const pith::MatrixView& view, std::size_t classes)
      : cols_(view.cols + 1), classes_(classes), rows_(view.rows * cols_), weights_(classes * cols_, 0.0F) {
    std::vector<float> row(view.cols);
    for (std::size_t item = 0; item < view.rows; ++item) {
      view.read_rows(item, 1, row.data());
      const float norm = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 1e-12F));
      for (std::size_t col = 0; col < view.cols; ++col) rows_[item * cols_ + col] = row[col] / norm;
      rows_[item * cols_ + view.cols] = 0.1F;
    }
  }

  void train(std::vector<std::size_t> items, const Labels& labels, std::uint64_t seed) {
    constexpr int epochs = 40;
    std::fill(weights_.begin(), weights_.end(), 0.0F);
    pith::Rng rng(seed);
    for (int epoch = 0; epoch < epochs; ++epoch) {
      for (std::size_t at = items.size(); at > 1; --at) std::swap(items[at - 1], items[rng.below(at)]);
      const float rate = 2.0F * static_cast<float>(epochs - epoch) / epochs;
      for (const std::size_t item : items) step(item, labels[item], rate);
    }
  }
  [[nodiscard]] double accuracy(const std::vector<std::size_t>& items, const Labels& labels) {
    std::size_t right = 0;
    for (const std::size_t item : items) {
      score(item);
      const auto best = std::max_element(scores_.begin(), scores_.end()) - scores_.begin();
      right += static_cast<std::size_t>(best) == labels[item] ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(items.size());
  }

 private:
  void score(std::size_t item) {
    scores_.assign(classes_, 0.0F);
    const float* x = rows_.data() + item * cols_;
    for (std::size_t label = 0; label < classes_; ++label) {
      const float* w = weights_.data() + label * cols_;
      float lanes[8] = {};
      std::size_t col = 0;
      for (; col + 8 <= cols_; col += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += w[col + lane] * x[col + lane];
      for (; col < cols_; ++col) lanes[0] += w[col] * x[col];
      scores_[label] = std::accumulate(lanes, lanes + 8, 0.0F);
    }
  }
  void step(std::size_t item, std::size_t truth, float rate) {
    score(item);
    const float most = *std::max_element(scores_.begin(), scores_.end());
    float sum = 0;
    for (float& s : scores_) sum += s = std::exp(s - most);
    const float* x = rows_.data() + item * cols_;
    for (std::size_t label = 0; label < classes_; ++label) {
      const float error = scores_[label] / sum - (label == truth ? 1.0F : 0.0F);
      if (std::abs(error) < 1e-4F) continue;
      float* w = weights_.data() + label * cols_;
      for (std::size_t col = 0; col < cols_; ++col) w[col] -= rate * error * x[col];
    }
  }

  std::size_t cols_;
  std::size_t classes_;
  std::vector<float> rows_;
  std::vector<float> weights_;
  std::vector<float> scores_;
};

struct Setting {
  std::string name;
  pith::SelectOptions options;
};

std::vector<Setting> settings(pith::Budget budget) {
  std::vector<Setting> all;
  const auto add = [&](const std::string& name, const std::string& strategy, const auto& change) {
    pith::SelectOptions options;
    options.strategy = strategy;
    options.budget = budget;
    change(options);
    all.push_back({name, options});
  };
  const auto nothing = [](pith::SelectOptions&) {};
  add("random", "random", nothing);
  add("stratified", "stratified", nothing);
  add("margin", "margin", nothing);
  add("submod-bal", "submod-bal", nothing);
  add("  areas exact", "submod-bal", [](auto& o) { o.objective.areas = pith::Areas::exact; });
  add("  clique size 4", "submod-bal", [](auto& o) { o.objective.clique_size = 4; });
  add("  2 boundaries an item", "submod-bal", [](auto& o) { o.balance.boundaries_per_item = 2; });
  add("  3 boundaries an item", "submod-bal", [](auto& o) { o.balance.boundaries_per_item = 3; });
  add("facility-location", "facility-location", nothing);
  add("  with class caps", "facility-location",
      [](auto& o) { o.balance.balance = pith::BalanceKind::class_only; });
  add("graph-cut", "graph-cut", nothing);
  add("uncertainty + facility-location, class caps", "submod", [](auto& o) {
    o.objective.terms = {{"uncertainty", 1}, {"facility-location", 0.2}};
    o.balance.balance = pith::BalanceKind::class_only;
  });
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print("bench_probe EMBEDDINGS PROBS LABELS [budget] [folds]: left out, needs labelled data\n");
    return 0;
  }
  pith::SelectInput input;
  input.embeddings = pith::read_matrix(argv[1]);
  const std::size_t n = input.embeddings.rows();
  input.predictions =
      pith::read_predictions(pith::read_matrix(argv[2]), false, pith::UncertaintyKind::margin, {}, 3);
  const Labels labels = read_labels(argv[3], n);
  const pith::Budget budget{.amount = argc > 4 ? std::strtod(argv[4], nullptr) : 0.1};
  const std::size_t folds = argc > 5 ? std::strtoull(argv[5], nullptr, 10) : 5;
  input.graph = pith::build_graph(input.embeddings, {});
  Probe probe(input.embeddings.view, *std::max_element(labels.begin(), labels.end()) + std::size_t{1});

  fmt::print("{} of {} items, accuracy on a held-out fifth, {} folds\n", budget.count_of(n), n, folds);
  for (const Setting& setting : settings(budget)) {
    std::vector<double> accuracy;
    for (std::size_t fold = 0; fold < folds; ++fold) {
      std::vector<std::size_t> test;
      input.excluded.clear();
      for (std::size_t item = 0; item < n; ++item)
        if (pith::random_bits(1, item) % 5 == fold) {
          test.push_back(item);
          input.excluded.push_back(static_cast<pith::Item>(item));
        }
      pith::SelectOptions options = setting.options;
      options.seed = fold;
      std::vector<std::size_t> picks;
      for (const pith::PickRow& row : pith::select(input, options).picks) picks.push_back(row.item);
      probe.train(picks, labels, fold);
      accuracy.push_back(100 * probe.accuracy(test, labels));
    }
    const double mean = std::accumulate(accuracy.begin(), accuracy.end(), 0.0) / static_cast<double>(folds);
    double squares = 0;
    for (const double a : accuracy) squares += (a - mean) * (a - mean);
    fmt::print("{:<45}{:6.2f} +- {:.2f}\n", setting.name, mean,
               std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, folds - 1))));
    std::fflush(stdout);
  }
}

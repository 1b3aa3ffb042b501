// A term of your own in the mixture. The term is this one file; the one line that adds it is marked below.
//
// rare-kinds counts how many kinds of item (here: which of four cameras took it) the subset has, weighted by
// how rare each kind is: sum over kinds with at least one pick of weight(kind). Monotone, because weights are
// not negative; submodular, because only the first pick of a kind gains.
#include <pith/pith.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace {

constexpr std::size_t items = 200;
constexpr std::size_t kinds = 4;

/// A few kinds are rare: 0 is every second item, 3 one in 50.
std::size_t kind_of(pith::Item item) {
  if (item % 50 == 49) return 3;
  if (item % 10 == 9) return 2;
  return item % 2;
}

class RareKindsState final : public pith::TermState {
 public:
  explicit RareKindsState(const std::vector<double>& weight) : weight_(weight), count_(weight.size(), 0) {}
  /// A function of the counts alone, so the order of picks leaves no trace. A member's own count does not
  /// count.
  [[nodiscard]] double gain(pith::Item item) const override {
    const std::size_t kind = kind_of(item);
    const int others = count_[kind] - (member_[item] ? 1 : 0);
    return others == 0 ? weight_[kind] : 0;
  }
  void add(pith::Item item, const pith::Membership& /*set*/) override {
    member_[item] = true;
    ++count_[kind_of(item)];
  }
  void remove(pith::Item item, const pith::Membership& /*set*/) override {
    member_[item] = false;
    --count_[kind_of(item)];
  }

 private:
  const std::vector<double>& weight_;
  std::vector<int> count_;
  std::vector<bool> member_ = std::vector<bool>(items, false);
};

class RareKinds final : public pith::Term {
 public:
  RareKinds() : weight_(kinds, 0.0), size_(kinds, 0) {
    for (pith::Item item = 0; item < items; ++item) ++size_[kind_of(item)];
    for (std::size_t kind = 0; kind < kinds; ++kind) weight_[kind] = 1.0 / size_[kind];
  }
  [[nodiscard]] std::string_view name() const override { return "rare-kinds"; }
  [[nodiscard]] std::unique_ptr<pith::TermState> start() const override {
    return std::make_unique<RareKindsState>(weight_);
  }
  [[nodiscard]] double value(std::span<const pith::Item> set) const override {
    std::vector<bool> seen(kinds, false);
    double sum = 0;
    for (const pith::Item item : set) {
      if (!seen[kind_of(item)]) sum += weight_[kind_of(item)];
      seen[kind_of(item)] = true;
    }
    return sum;
  }
  /// With everything else chosen only the sole item of a kind still gains.
  [[nodiscard]] double least_gain(pith::Item item) const override {
    return size_[kind_of(item)] == 1 ? weight_[kind_of(item)] : 0;
  }
  [[nodiscard]] pith::Reach reach() const override { return pith::Reach::everybody; }

 private:
  std::vector<double> weight_;
  std::vector<int> size_;
};

pith::SelectInput make_input() {
  constexpr std::size_t dimension = 2;
  constexpr std::size_t classes = 3;
  std::vector<float> embeddings(items * dimension);
  std::vector<float> probabilities(items * classes);
  for (std::size_t i = 0; i < items; ++i) {
    embeddings[i * dimension] = static_cast<float>(i % 20) + 0.1F;
    embeddings[i * dimension + 1] = static_cast<float>(i / 20) + 0.1F;
    const float doubt = 0.05F * static_cast<float>(i % 9);
    probabilities[i * classes + i % classes] = 1 - doubt;
    probabilities[i * classes + (i + 1) % classes] = doubt;
  }
  pith::SelectInput input;
  input.embeddings = pith::Matrix::of_floats(std::move(embeddings), items, dimension, "embeddings");
  input.predictions = pith::read_predictions(
      pith::Matrix::of_floats(std::move(probabilities), items, classes, "probabilities"),
      /*logits=*/false, pith::UncertaintyKind::margin);
  return input;
}

}  // namespace

int main() {
  try {
    pith::SelectInput input = make_input();
    // The one line: a name, what it is, and how to make it. Its sources (graph, predictions, ...) are not
    // needed here.
    input.own_terms.push_back({"rare-kinds", "kinds of item present, the rare ones more",
                               [](const pith::TermSources&) { return std::make_unique<RareKinds>(); }});

    pith::SelectOptions options;
    options.strategy = "submod";
    options.budget.amount = std::int64_t{8};
    options.objective.terms = {{"uncertainty", 0.2}, {"facility-location", 0.1}, {"rare-kinds", 20.0}};
    const pith::Selection chosen = pith::select(input, options);

    std::vector<int> count(kinds, 0);
    for (const pith::PickRow& pick : chosen.picks) {
      ++count[kind_of(pick.item)];
      std::printf("%3u kind %zu gain %.4f\n", pick.item, kind_of(pick.item), pick.gain);
    }
    for (const pith::TermShare& term : chosen.objective.others)
      std::printf("%s: %.4f\n", term.name.c_str(), term.value);
    std::printf("at least %.1f%% of the best possible\n", 100 * chosen.certificate.ratio);
    for (const int of_kind : count)
      if (of_kind == 0) return 1;  // the rare kinds must be there
    return chosen.picks.size() == 8 ? 0 : 1;
  } catch (const pith::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

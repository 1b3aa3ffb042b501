#include <algorithm>
#include <cmath>
#include <span>

#include "data/probabilities.h"
#include "data/tiles.h"
#include "pith/error.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// Class probabilities of one item by every member: rows[m][l].
using Opinions = std::vector<std::span<const double>>;

/// Entropy of the members' votes, each for its best class, ties to the lower class.
double vote_entropy(const Opinions& opinions, std::vector<double>& votes) {
  votes.assign(opinions.front().size(), 0.0);
  for (const auto& opinion : opinions)
    votes[static_cast<std::size_t>(std::max_element(opinion.begin(), opinion.end()) - opinion.begin())] += 1;
  // The same counts for other classes sum to the same bits.
  std::sort(votes.begin(), votes.end());
  double entropy = 0;
  for (const double count : votes) {
    const double share = count / static_cast<double>(opinions.size());
    if (share > 0) entropy -= share * std::log(share);
  }
  return entropy;
}

/// Mean over the members of KL(member || mean of all). Written out it is the entropy of the mean less the
/// mean of the entropies: the mutual information of BALD.
double mean_divergence(const Opinions& opinions, std::vector<double>& mean) {
  const auto members = static_cast<double>(opinions.size());
  mean.assign(opinions.front().size(), 0.0);
  for (const auto& opinion : opinions)
    for (std::size_t label = 0; label < mean.size(); ++label) mean[label] += opinion[label];
  double sum = 0;
  for (const auto& opinion : opinions)
    for (std::size_t label = 0; label < mean.size(); ++label)
      if (opinion[label] > 0) sum += opinion[label] * std::log(opinion[label] * members / mean[label]);
  return std::max(0.0, sum / members);
}

std::vector<double> disagreements(const ClassProbabilities& probabilities, Disagreement kind,
                                  const Run& run) {
  const std::size_t members = probabilities.members.size();
  const std::size_t classes = probabilities.classes();
  std::vector<double> scores(probabilities.items());
  const auto read_tile = [&](std::size_t first, std::size_t count, unsigned /*worker*/) {
    std::vector<double> tiles(members * count * classes);
    for (std::size_t m = 0; m < members; ++m)
      read_member(probabilities, m, first, count, tiles.data() + m * count * classes);
    Opinions opinions(members);
    std::vector<double> scratch;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t m = 0; m < members; ++m)
        opinions[m] = std::span(tiles).subspan((m * count + i) * classes, classes);
      const double score =
          kind == Disagreement::vote ? vote_entropy(opinions, scratch) : mean_divergence(opinions, scratch);
      if (!std::isfinite(score))
        throw Error(ErrorKind::bad_input,
                    "the class probabilities hold values that are no probabilities; read_predictions() says "
                    "where");
      scores[first + i] = score;
    }
  };
  for_each_tile(probabilities.members.front().view, run, "comparing models", read_tile);
  return scores;
}

std::vector<Pick> choose_disputed(const StrategyInput& input, Disagreement kind) {
  ModularOracle oracle(disagreements(input.probabilities, kind, input.run));
  return choose_greedily(oracle, input);
}

}  // namespace

/// Items whose label would tell most about the models (Houlsby, Huszar, Ghahramani, Lengyel 2011).
std::vector<Pick> choose_bald(const StrategyInput& input) {
  return choose_disputed(input, Disagreement::kl);
}

/// Query by committee: by the entropy of the votes (Dagan, Engelson 1995) or by the mean divergence from the
/// consensus (McCallum, Nigam 1998).
std::vector<Pick> choose_by_committee(const StrategyInput& input) {
  return choose_disputed(input, input.special.committee);
}

}  // namespace pith

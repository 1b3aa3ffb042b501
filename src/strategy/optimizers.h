#pragma once

#include <cstdint>
#include <vector>

#include "pith/options.h"
#include "strategy/greedy.h"

namespace pith {

/// What every greedy starts from.
struct GreedyTask {
  Oracle& oracle;
  const Balance& balance;
  const Pool& pool;
  std::int64_t budget = 0;
  const Run& run;
};

/// The greedy as one would say it: everybody is scored before every pick. The picks of run_greedy(), for
/// oracles whose scores fall or rise as they like. O(n k) scores.
[[nodiscard]] std::vector<Pick> run_naive_greedy(const GreedyTask& task);

/// Before every pick a sample of (n / k) ln(1 / epsilon) of those that still fit is drawn and scored, and the
/// best of it is taken, ties to the lower index (Mirzasoleiman and others 2015). Without caps
/// f(S) >= (1 - 1/e - epsilon) f(OPT) on average; with caps no guarantee. O(n ln(1 / epsilon)) scores. The
/// same seed gives the same picks.
[[nodiscard]] std::vector<Pick> run_stochastic_greedy(const GreedyTask& task, double epsilon,
                                                      std::uint64_t seed);

/// A bar falls from the largest score by factors of 1 - epsilon; in index order, whoever reaches it is taken
/// (Badanidiyuru and Vondrak 2014). Every pick has at least 1 - epsilon of the best score at its time, until
/// the bar is below epsilon / n of the first; what fits then is taken in index order. Without caps
/// f(S) >= (1 - 1/e - epsilon) f(OPT). O(n / epsilon ln(n / epsilon)) scores at most.
[[nodiscard]] std::vector<Pick> run_threshold_greedy(const GreedyTask& task, double epsilon);

/// The one the options name, lazy among them.
[[nodiscard]] std::vector<Pick> run_optimizer(const GreedyTask& task, const GreedyOptions& options,
                                              std::uint64_t seed);

}  // namespace pith

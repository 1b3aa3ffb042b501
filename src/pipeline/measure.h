#pragma once

#include <optional>
#include <span>
#include <vector>

#include "constraint/balance.h"
#include "objective/objective.h"
#include "pipeline/certificate.h"
#include "pith/select.h"
#include "strategy/greedy.h"

namespace pith {

/// How much work the certificate is worth: about as much as the greedy itself.
struct CertificatePlan {
  std::size_t
      every;  ///< so many picks a prefix is probed; 0: the empty one alone, where the refinement starts
  int rounds;
  bool probes_whole = false;  ///< the picks as a whole, whatever `every` says

  /// Where nothing but edges tells picks apart, the refinement over the edges says most; else the picks as a
  /// whole are worth a probe too. A gain that looks at everybody makes a probe that much dearer.
  CertificatePlan(std::size_t items, std::size_t picks, Reach reach);
  [[nodiscard]] bool probes(std::size_t picked, std::size_t picks) const noexcept {
    if (picked == picks && probes_whole) return true;
    return every != 0 && (picked % every == 0 || picked == picks);
  }
};

/// Tells the terms of a gain apart. The three of the paper have columns of their own.
class GainShares {
 public:
  GainShares(const Objective& objective, std::size_t picks);

  /// `gains`: the weighted share of each part of f in the pick's gain.
  void note(std::span<const double> gains, PickRow& row, ObjectiveValue& value);
  [[nodiscard]] std::vector<TermShare> take_others() { return std::move(others_); }

 private:
  std::optional<std::size_t> uncertainty_;
  std::optional<std::size_t> diversity_;
  std::optional<std::size_t> triples_;
  double constant_ = 0;
  std::vector<std::size_t> other_parts_;
  std::vector<TermShare> others_;
};

/// Sets the certificate of measured picks; `constant` is the part of every gain that is the same for all.
void note_certificate(Selection& selection, double upper_bound, double constant);

/// What a strategy's picks are worth in terms of f: replays them in order and fills the rows' gains and
/// parts, the objective, the certificate, and how many items each pick stands for. `bound` is that of sets of
/// as many items, or of the same cost; without one, the certificate says nothing.
void measure_picks(Selection& selection, const std::vector<Pick>& picks, const Predictions& predictions,
                   const Graph& graph, const Objective& objective, const Pool& pool,
                   std::optional<UpperBound> bound, const Run& run);

}  // namespace pith

#pragma once

#include <memory>
#include <optional>

#include "constraint/balance.h"
#include "graph/triangles.h"
#include "objective/objective.h"
#include "pith/select.h"

namespace pith {

/// What select() need not do, for those who select again and again on one graph.
struct SelectShortcuts {
  /// Those of input.graph by the area rule of the options. Null: they are found.
  std::shared_ptr<const Triangles> triangles = nullptr;
  /// False: the certificate, which can take longer than the choice itself, is left to certify(). Until then
  /// its bound is infinite and its ratio 0.
  bool certify = true;
  /// Held by the caller all the time: the plan counts it.
  std::uint64_t besides = 0;
};

/// The graph with all that f is made of.
struct Scene {
  Graph graph;
  std::shared_ptr<const Triangles> triangles;
  Objective objective{0, {}};
};

/// A selection together with what it was made of, for those who go on asking about it. Its parts refer to
/// each other and to the input: it stays where it is, and the input must outlive it.
struct KeptSelection {
  Selection selection;
  Pool pool;
  Balance balance;
  std::unique_ptr<Scene> scene;  ///< null where nothing was measured
};

/// select(), keeping everything.
[[nodiscard]] std::unique_ptr<KeptSelection> select_and_keep(const SelectInput& input,
                                                             const SelectOptions& options,
                                                             const SelectShortcuts& shortcuts,
                                                             const Run& run);

/// The certificate that select() gives, of a measured selection.
[[nodiscard]] Certificate certify(const KeptSelection& kept, const SelectInput& input, const Run& run);

}  // namespace pith

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pith/run.h"

namespace pith {

struct GraphOptions;
struct Matrix;
struct SelectInput;
struct SelectOptions;

/// What a run will hold in memory and how long it will take, foreseen from sizes alone, before any work.
struct Plan {
  struct Part {
    std::string what;
    std::uint64_t bytes = 0;
  };
  /// Parts of one stage are held together; those of different stages are not, unless listed in both.
  struct Stage {
    std::string name;
    std::vector<Part> held = {};
    double seconds = 0;

    [[nodiscard]] std::uint64_t bytes() const noexcept;
  };
  std::vector<Stage> stages;   ///< in the order they run
  std::vector<Part> streamed;  ///< inputs read from where they lie, which need not fit into memory

  /// Of the stage that holds most: never less than a run takes, but for what strategies hold that depends on
  /// the data (docs/scale.md).
  [[nodiscard]] std::uint64_t most_bytes() const noexcept;
  /// By rule of thumb, with the files in the system's cache.
  [[nodiscard]] double seconds() const noexcept;
};

/// Of pith graph: reading the embeddings and build_graph(), with the candidates that fit into
/// options.memory_bytes, or the fewest that work.
[[nodiscard]] Plan plan_graph(const Matrix& embeddings, const GraphOptions& options, const Run& run = {});

/// Of reading the inputs and of select(). Looks at the shapes of what is given, not at the predictions.
/// `besides` is held by the caller all the time.
[[nodiscard]] Plan plan_selection(const SelectInput& input, const SelectOptions& options, const Run& run = {},
                                  std::uint64_t besides = 0);

/// Throws Error{bad_option}, which names the least that will do, where the plan does not fit.
void require_memory(const Plan& plan, std::optional<std::uint64_t> memory_bytes);

/// A few lines for a person.
[[nodiscard]] std::string plan_text(const Plan& plan, std::optional<std::uint64_t> memory_bytes);

}  // namespace pith

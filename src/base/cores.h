#pragma once

namespace pith {

/// Cores that this process could use when it first asked: those it is tied to (taskset, mpirun, a container),
/// no more than the share of time a container is given is worth. At least one.
[[nodiscard]] unsigned cores_allowed() noexcept;

}  // namespace pith

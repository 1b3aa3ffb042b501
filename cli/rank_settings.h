#pragma once

#include <string>
#include <vector>

#include "ranks/select_across.h"
#include "settings.h"

namespace pith::cli {

/// What `pith select` knows besides when several ranks share the work.
[[nodiscard]] std::vector<Setting> rank_settings();

/// --distributed.
[[nodiscard]] Distributed distributed_way(const Settings& settings);

/// Least time between two saves of unfinished work; 0: none is saved.
[[nodiscard]] double checkpoint_seconds(const Settings& settings);

/// Refuses settings that mean nothing to one process.
void require_no_rank_settings(const Settings& settings);

}  // namespace pith::cli

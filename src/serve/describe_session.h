#pragma once

#include "serve/pack.h"
#include "serve/workbench.h"

namespace pith::serve {

// What the page is told. web/src/serve/api.ts describes it to the page.

/// Names, notes, options with their defaults, strategies.
[[nodiscard]] Json session_json(const Session& session);

/// Places, classes and uncertainty of the items on the map.
[[nodiscard]] std::string points_pack(const Session& session, const Predictions& predictions);

/// A choice: the summary, the groups, the picks. Shaped like the data of a report (report/sections.h).
[[nodiscard]] std::string choice_pack(const Choice& choice);

[[nodiscard]] Json certificate_json(const Certificate& certificate);

}  // namespace pith::serve

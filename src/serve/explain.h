#pragma once

#include "serve/pack.h"
#include "serve/workbench.h"

namespace pith::serve {

/// Everything about one item under a choice: what it is, who its neighbours are, what it would add to f at
/// the end, which of its caps are full and since when, and in words why it was taken or not.
[[nodiscard]] Json explain_item(const Session& session, const Choice& choice, Item item);

}  // namespace pith::serve

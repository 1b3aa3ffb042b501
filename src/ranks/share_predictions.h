#pragma once

#include "pith/predictions.h"
#include "ranks/communicator.h"

namespace pith {

/// Gives every rank what the first one has read. Collective.
void share_predictions(Communicator& ranks, Predictions& predictions);

}  // namespace pith

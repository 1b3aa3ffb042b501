#pragma once

/// All of the public API.
#include "pith/error.h"
#include "pith/graph.h"
#include "pith/matrix.h"
#include "pith/options.h"
#include "pith/plan.h"
#include "pith/predictions.h"
#include "pith/read.h"
#include "pith/run.h"
#include "pith/select.h"
#include "pith/term.h"

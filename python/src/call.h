#pragma once

#include <pybind11/pybind11.h>

#include <functional>

#include "pipeline/given_options.h"
#include "pith/run.h"

namespace pith::python {

/// Runs `work` on a thread of its own, without the GIL. Meanwhile the calling thread looks for signals and
/// calls progress(stage, done, total), unless that is None, some fifty times a second. Whatever a signal
/// handler or `progress` raises stops the work and is raised here.
void run_call(const GivenTexts& given, const pybind11::object& progress,
              const std::function<void(const Run&)>& work);

}  // namespace pith::python

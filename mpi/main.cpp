#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/cores.h"
#include "base/output_folder.h"
#include "data/checksum.h"
#include "data/lost_pages.h"
#include "graph/blas.h"
#include "mpi_communicator.h"
#include "pipeline/option_table.h"
#include "pipeline/outputs.h"
#include "pith/error.h"
#include "rank_launch.h"
#include "rank_settings.h"
#include "ranks/rank_input_reader.h"
#include "ranks/select_across.h"
#include "ranks/together.h"
#include "run_app.h"
#include "select_inputs.h"
#include "settings.h"
#include "terminal.h"

// What `pith select` becomes when mpirun or srun starts several of it.

namespace pith::cli {
namespace {

/// Which selection this is: the same input and options, whatever the ranks and threads. Of files that options
/// name, what is in them.
std::string identity_of(const Inputs& reading, const SelectOptions& options) {
  std::string text = version();
  for (const InputNote& note : reading.notes.inputs)
    text += fmt::format("\n{} {} {}", note.role, note.checksum, note.logits);
  for (const OptionSpec& spec : select_option_specs())
    text += fmt::format("\n{} {}", spec.name,
                        spec.get(options).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  const auto add_caps = [&](const auto& caps) {
    if (const auto* file = std::get_if<CapFile>(&caps))
      text += fmt::format("\ncaps {}", checksum_of_file(file->path.string()));
  };
  add_caps(options.balance.class_cap);
  add_caps(options.balance.boundary_cap);
  // A file of scores may have several columns.
  text += fmt::format("\nscores {}", checksum_of_bytes(std::as_bytes(std::span(reading.input.scores))));
  return text;
}

/// Where work that is not finished is kept.
std::string unfinished_of(const std::string& out) {
  return fmt::format("{}.unfinished", out.substr(0, out.find_last_not_of('/') + 1));
}

/// As told, or this rank's part of the cores of its machine.
unsigned threads_of_rank(const MpiCommunicator& ranks, const Settings& settings) {
  if (const unsigned told = settings.threads(); told != 0) return told;
  // Launchers may tie a rank to its part of the cores, or leave all to all.
  return std::min(cores_allowed(), std::max(1U, std::thread::hardware_concurrency() /
                                                    static_cast<unsigned>(ranks.ranks_here())));
}

void run_select(MpiCommunicator& ranks, Settings& settings) {
  const SelectOptions options = together(ranks, [&] {
    settings.gather();
    for (const char* name : {"plan", "memory"})
      if (settings.has(name) || settings.flag(name))
        throw Error(ErrorKind::bad_option,
                    fmt::format("--{} is for one process; leave it out, or run pith without mpirun", name));
    return read_options(settings);
  });
  const bool json = settings.flag("json");
  const std::string out = together(ranks, [&] {
    std::string folder =
        json ? settings.text("out") : settings.required("out", "say where to put the results: --out DIR");
    if (!folder.empty() && ranks.is_first()) OutputFolder probe(folder);
    return folder;
  });

  ProgressLine line(settings.flag("quiet") || !ranks.is_first());
  const Run run = make_run(together(ranks, [&] { return threads_of_rank(ranks, settings); }), line);
  AcrossOptions across = together(ranks, [&] {
    return AcrossOptions{.distributed = distributed_way(settings),
                         .checkpoint_seconds = checkpoint_seconds(settings)};
  });
  Inputs reading = together(ranks, [&] { return open_inputs(settings, run); });
  RankInputReader reader(ranks, run);
  look_through(reading, settings, options, reader);
  if (!out.empty() && across.checkpoint_seconds > 0) {
    across.checkpoint_folder = unfinished_of(out);
    const std::string mine = ranks.is_first() ? identity_of(reading, options) : "";
    const auto bytes = std::as_bytes(std::span(mine));
    const Packet shared = ranks.broadcast(Packet(bytes.begin(), bytes.end()), 0);
    across.identity.assign(reinterpret_cast<const char*>(shared.data()), shared.size());
  }
  std::optional<BoundingNote> bounding;
  const Selection selection = select_across(ranks, reading.input, options, across, run, &bounding);
  if (bounding)
    reading.notes.distributed = {"bounding",
                                 {{"partitions", bounding->partitions},
                                  {"rounds", bounding->rounds},
                                  {"included", static_cast<double>(bounding->included)},
                                  {"excluded", static_cast<double>(bounding->excluded)},
                                  {"exact_objective", bounding->exact_objective},
                                  {"ratio_to_exact", bounding->ratio_to_exact},
                                  {"ratio_without_constant", bounding->ratio_without_constant}}};
  // Written by one, waited for by all: who goes on knows that it is there.
  static_cast<void>(together(ranks, [&] {
    if (!ranks.is_first()) return 0;
    reading.notes.peak_rss_bytes = peak_rss_bytes();
    reading.notes.ranks = ranks.size();
    if (!out.empty()) write_selection(out, selection, reading.ids, reading.notes, run);
    if (!across.checkpoint_folder.empty()) forget_checkpoints(across);
    return 0;
  }));
  line.clear();
  if (ranks.is_first()) print_result(settings, selection, reading.notes, out);
}

bool has_unfinished(const Settings& settings) {
  std::error_code ignored;
  return settings.has("out") && std::filesystem::exists(unfinished_of(settings.text("out")), ignored);
}

/// A rank that fails alone ends the job: the others wait for it.
void run_or_abort(MpiCommunicator& ranks, Settings& settings) {
  try {
    run_select(ranks, settings);
  } catch (const SharedError&) {
    throw;
  } catch (const Error& error) {
    // All ranks are told of an interrupt, and one says so. Where to go on from is for whoever ends the job
    // first: the first rank may wait for another and be ended without a word.
    const bool kept = error.kind() == ErrorKind::interrupted && has_unfinished(settings);
    const bool silent = error.kind() == ErrorKind::interrupted && !kept && !ranks.is_first();
    ranks.abort(exit_code(error.kind()),
                silent ? ""
                : kept
                    ? fmt::format("interrupted: unfinished work is kept in {}; run the same command to go on",
                                  unfinished_of(settings.text("out")))
                    : error.what());
  } catch (const std::bad_alloc&) {
    ranks.abort(4, "out of memory; nothing was written. Use more ranks, or machines with more memory");
  } catch (const std::exception& error) {
    ranks.abort(1, fmt::format("internal error, please report it: {}", error.what()));
  }
}

/// What every rank would print alike, one prints. A rank that ends the job still says why.
void silence_all_but_first(MpiCommunicator& ranks) {
  if (ranks.is_first()) return;
  const int voice = ::dup(STDERR_FILENO);
  ranks.keep_voice(voice);
  explain_lost_pages_on(voice);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

}  // namespace
}  // namespace pith::cli

int main(int argc, char** argv) {
  pith::end_blas_threads(argv);
  pith::MpiCommunicator ranks(&argc, &argv);
  pith::cli::require_all_ranks(ranks.size());
  pith::cli::silence_all_but_first(ranks);
  CLI::App app{"Pith chooses, out of a large dataset, the small subset worth labelling or training on.",
               "pith"};
  app.set_version_flag("--version", "pith " + pith::version());
  app.require_subcommand(0, 1);
  CLI::App* command = app.add_subcommand(
      "select", "Choose a subset from embeddings and class probabilities, by several ranks");
  pith::cli::Settings settings;
  std::vector<pith::cli::Setting> known = pith::cli::select_settings();
  const std::vector<pith::cli::Setting> with_ranks = pith::cli::rank_settings();
  known.insert(known.end(), with_ranks.begin(), with_ranks.end());
  settings.attach(*command, known);
  const std::vector<pith::cli::Command> commands = {
      {"select", [&] { pith::cli::run_or_abort(ranks, settings); }}};
  return pith::cli::run_app(app, argc, argv, commands);
}

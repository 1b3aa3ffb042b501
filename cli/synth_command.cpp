#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/output_file.h"
#include "base/output_folder.h"
#include "base/thousands.h"
#include "commands.h"
#include "data/npy_writer.h"
#include "pipeline/option_table.h"
#include "pipeline/synth.h"
#include "pith/error.h"
#include "settings.h"
#include "terminal.h"

namespace pith::cli {
namespace {

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> settings = {
      {"out", "DIR", "folder for embeddings.npy, probs.npy and labels.npy", "Files"},
      {"items", "N", "how many items (10000)", "Data"},
      {"dim", "D", "dimension of the embeddings (64)", "Data"},
      {"classes", "L", "number of classes (10)", "Data"},
      {"long-tail", "R", "the largest class is R times the smallest (1: all alike)", "Data"},
      {"spread", "S", "noise around the class centres; larger means harder (1)", "Data"},
      {"intrinsic", "K",
       "directions in which items of a class differ, as real embeddings differ in few (0: all)", "Data"},
      {"seed", "N", "the same seed, the same data (0)", "Data"},
      {"threads", "N", "threads to use (default: all cores)", "Running"},
      {"quiet", "", "print nothing but errors", "Running", true}};
  return settings;
}

std::string_view raw_bytes(const std::vector<float>& values, std::size_t count) {
  return {reinterpret_cast<const char*>(values.data()), count * sizeof(float)};
}

/// A piece at a time, so that there may be more items than memory holds.
void write_matrices(OutputFolder& out, const Synthesizer& synthesizer, const SynthOptions& options,
                    const Run& run) {
  const std::size_t row = std::size_t{options.dimension} + options.classes;
  const std::size_t piece = std::clamp<std::size_t>((std::size_t{1} << 22) / row, 1, options.items);
  std::vector<float> rows(piece * options.dimension);
  std::vector<float> probs(piece * options.classes);
  out.write_in_pieces("embeddings.npy", [&](OutputFile& embeddings_file) {
    out.write_in_pieces("probs.npy", [&](OutputFile& probs_file) {
      embeddings_file.write(npy_header_of_matrix(Scalar::f32, options.items, options.dimension));
      probs_file.write(npy_header_of_matrix(Scalar::f32, options.items, options.classes));
      for (std::size_t begin = 0; begin < options.items; begin += piece) {
        const std::size_t count = std::min<std::size_t>(piece, options.items - begin);
        synthesizer.make(begin, begin + count, rows.data(), probs.data(), run);
        embeddings_file.write(raw_bytes(rows, count * options.dimension));
        probs_file.write(raw_bytes(probs, count * options.classes));
      }
    });
  });
}

void run_synth(Settings& settings) {
  settings.gather();
  SynthOptions options;
  const auto whole32 = [&](const char* name, std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(settings.whole(name, otherwise), 0xffffffff));
  };
  options.items = settings.whole("items", options.items);
  options.dimension = whole32("dim", options.dimension);
  options.classes = whole32("classes", options.classes);
  options.intrinsic = whole32("intrinsic", options.intrinsic);
  options.seed = settings.whole("seed", options.seed);
  if (settings.has("long-tail")) options.long_tail = parse_number("long-tail", settings.text("long-tail"));
  if (settings.has("spread")) options.spread = parse_number("spread", settings.text("spread"));
  const std::vector<std::string> problems = options.check();
  if (!problems.empty()) throw Error(ErrorKind::bad_option, fmt::format("{}", fmt::join(problems, "; ")));

  OutputFolder out(settings.required("out", "say where to put the data: --out DIR"));
  ProgressLine line(settings.flag("quiet"));
  const Synthesizer synthesizer(options);
  write_matrices(out, synthesizer, options, make_run(settings.threads(), line));
  out.write("labels.npy", npy_of_int64(synthesizer.labels()));
  out.commit();
  line.clear();
  if (settings.flag("quiet")) return;
  const auto sizes = long_tail_sizes(options.items, options.classes, options.long_tail);
  fmt::print("Made {} items of dimension {} in {} classes ({} to {} items each)\n",
             with_commas(options.items), options.dimension, options.classes, with_commas(sizes.back()),
             with_commas(sizes.front()));
  fmt::print("Wrote {}/ embeddings.npy, probs.npy, labels.npy\n", out.path().string());
}

}  // namespace

std::function<void()> add_synth(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("synth", "Make clustered embeddings and probabilities to try things out");
  command->footer("Example:\n  pith synth --items 20000 --classes 10 --long-tail 100 --out toy");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_synth(*settings); };
}

}  // namespace pith::cli

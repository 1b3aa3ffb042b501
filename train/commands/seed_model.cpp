#include "commands/seed_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/output_folder.h"
#include "commands/write_rows.h"
#include "data/npy_writer.h"
#include "images/item_ids.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "pith/read.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse_rate(double rate) {
  throw Error(ErrorKind::bad_option,
              fmt::format("--rate: at {} the loss of the seed model is no number any more; lower it, and "
                          "choose another --out",
                          rate));
}

void make_seed_model(const Pool& pool, const TrainOptions& options, const std::vector<Item>& places,
                     const std::string& folder, const CheckpointPlan& checkpoint, const std::string& device,
                     const Run& run) {
  OutputFolder out(folder);
  const Part part = pool.items.subset(places);
  Network network({.name = options.model,
                   .input = pool.shape(),
                   .classes = pool.classes,
                   .normalisation = pool.normalisation},
                  options.seed, device);
  const TrainReport report =
      train_network(network, part, options, options.steps_for(part.size()), checkpoint, run);
  const Evaluation evaluation = evaluate(network, pool.test, pool.normalisation, run);
  // The last step may be the one that goes astray.
  if (report.diverged || !std::isfinite(evaluation.loss)) refuse_rate(options.rate);
  write_rows(
      out, network, pool.items, pool.normalisation,
      [&](std::size_t /*item*/, float /*value*/) { refuse_rate(options.rate); }, run);
  if (const auto ids = ids_of(pool.items, pool.name, "train"); !ids.empty())
    out.write("ids.txt", id_lines(ids));
  out.write("seed.npy", npy_of_int64(places));
  out.write_in_pieces("model.safetensors", [&](OutputFile& file) { write_model_file(network.save(), file); });
  const nlohmann::ordered_json json = {{"items", part.size()},    {"seed", options.seed},
                                       {"steps", report.steps},   {"accuracy", evaluation.accuracy},
                                       {"loss", evaluation.loss}, {"train_seconds", report.seconds}};
  out.write("seed.json", json.dump(2) + "\n");
  out.commit();
  std::error_code ignored;
  fs::remove(checkpoint.path, ignored);
}

}  // namespace

SeedOutputs seed_outputs(const Pool& pool, TrainOptions options, const std::string& fraction,
                         std::uint64_t seed, const std::string& folder, const CheckpointPlan& checkpoint,
                         const std::string& device, const Run& run) {
  options.seed = seed;
  std::error_code ignored;
  if (!fs::exists(fs::path(folder) / "seed.json", ignored)) {
    const std::size_t count =
        count_of(parse_budget("seed-fraction", fraction), pool.items.size(), "seed-fraction");
    make_seed_model(pool, options, random_places(pool.items.size(), count, seed), folder, checkpoint, device,
                    run);
  }
  return {.embeddings = read_matrix((fs::path(folder) / "embeddings.npy").string()),
          .probs = read_matrix((fs::path(folder) / "probs.npy").string())};
}

Matrix with_temperature(const Matrix& probs, double temperature) {
  if (temperature == 1) return probs;
  std::vector<double> row(probs.cols());
  std::vector<float> out;
  out.reserve(probs.rows() * probs.cols());
  for (std::size_t item = 0; item < probs.rows(); ++item) {
    probs.view.read_rows(item, 1, row.data());
    // The largest becomes 1: at a low temperature all of them could vanish.
    const double largest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& value : row) sum += value = std::pow(value / largest, 1 / temperature);
    for (const double value : row) out.push_back(static_cast<float>(value / sum));
  }
  return Matrix::of_floats(std::move(out), probs.rows(), probs.cols(), probs.source);
}

}  // namespace pith::train

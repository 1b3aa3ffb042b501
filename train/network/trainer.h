#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "images/batches.h"
#include "network/model_file.h"
#include "network/schedule.h"
#include "pith/run.h"

namespace pith::train {

/// Gives every item an embedding and class probabilities.
class Predictor {
 public:
  virtual ~Predictor() = default;
  /// Fills both, row-major, one row an item of the batch.
  virtual void predict(const Batch& batch, std::vector<float>& embeddings, std::vector<float>& probs) = 0;
};

/// A network that can be trained, saved and asked.
class Network : public Predictor {
 public:
  /// New, its weights drawn by the seed.
  Network(const ModelSpec& spec, std::uint64_t seed, const std::string& device);
  /// As saved. `path` is what errors call the file.
  Network(const ModelFile& file, const std::string& path, const std::string& device);
  ~Network() override;

  [[nodiscard]] const ModelSpec& spec() const noexcept { return spec_; }
  void predict(const Batch& batch, std::vector<float>& embeddings, std::vector<float>& probs) override;
  /// Its weights, without what a training keeps besides.
  [[nodiscard]] ModelFile save() const;

  struct Inside;
  [[nodiscard]] Inside& inside() noexcept { return *inside_; }

 private:
  ModelSpec spec_;
  std::unique_ptr<Inside> inside_;
};

/// Where a training keeps its state.
struct CheckpointPlan {
  std::string path;          ///< empty: nowhere
  bool resume = false;       ///< go on from the file, where there is one
  double least_seconds = 0;  ///< an epoch that ends sooner after the last checkpoint writes none
};

struct TrainReport {
  std::uint64_t steps = 0;
  std::uint64_t resumed_at = 0;      ///< the step a checkpoint was taken up at
  std::vector<double> epoch_losses;  ///< mean training loss of each epoch
  bool diverged = false;             ///< the loss was no number any more, and the training was given up
  double seconds = 0;                ///< of this process
  double waited_seconds = 0;         ///< of those, for data
};

/// What decides the weights that a training ends in, but for the machine and its threads: JSON, to be
/// compared.
[[nodiscard]] std::string training_identity(const TrainOptions& options, const ModelSpec& spec,
                                            const Part& part, std::uint64_t steps);

/// Trains for `steps` steps of options.batch items. On a CPU the same options, items and number of threads
/// give the same weights bit for bit, also after any number of interruptions.
TrainReport train_network(Network& network, const Part& part, const TrainOptions& options,
                          std::uint64_t steps, const CheckpointPlan& checkpoint, const Run& run);

/// A user's network, as TorchScript. It takes float images (items, channels, height, width), or vectors
/// (items, numbers), and returns logits, or a tuple of embeddings and logits; without embeddings the logits
/// stand for them.
class ScriptModel : public Predictor {
 public:
  ScriptModel(const std::string& path, InputShape input, const std::string& device);
  ~ScriptModel() override;
  void predict(const Batch& batch, std::vector<float>& embeddings, std::vector<float>& probs) override;
  /// Whether the last batch had embeddings of its own.
  [[nodiscard]] bool has_embeddings() const noexcept { return has_embeddings_; }

 private:
  struct Inside;
  std::string path_;
  InputShape input_;
  bool has_embeddings_ = false;
  std::unique_ptr<Inside> inside_;
};

/// Rows of embeddings and probabilities of `items` items, as they come.
using RowSink = std::function<void(std::size_t items, const std::vector<float>& embeddings,
                                   const std::vector<float>& probs)>;

/// Asks for every item of the part, in order. Seconds waited for data are returned.
double predict_all(Predictor& predictor, const Part& part, const Normalisation& normalisation,
                   const RowSink& sink, const Run& run);

struct Evaluation {
  double accuracy = 0;
  double loss = 0;  ///< mean cross entropy
};
[[nodiscard]] Evaluation evaluate(Predictor& predictor, const Part& part, const Normalisation& normalisation,
                                  const Run& run);

}  // namespace pith::train

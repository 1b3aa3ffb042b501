#include "fuzz_target.h"
#include "images/readers/formats.h"
#include "scratch_folder.h"

/// The files of a small dataset, cut apart by lines of "%%"; the first byte says of which format.
PITH_FUZZ_TARGET(dataset) {
  if (input.empty()) return;
  static const std::vector<std::vector<const char*>> formats = {
      {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
       "t10k-labels-idx1-ubyte"},
      {"train.bin", "test.bin"},
      {"x.npy", "y.npy", "x_test.npy", "y_test.npy"}};
  std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  const auto& names = formats[static_cast<unsigned char>(text[0]) % formats.size()];
  text.remove_prefix(1);
  const pith::fuzz::ScratchFolder folder;
  for (const char* name : names) folder.write(name, pith::fuzz::take_part(text));
  pith::train::OpenOptions options;
  options.path = folder.path();
  const pith::train::Dataset data = pith::train::open_dataset(options);
  for (const pith::train::Part* part : {&data.training, data.test ? &*data.test : nullptr}) {
    if (part == nullptr) continue;
    // All of it came from this input, or was packed by gzip, a thousandfold at most.
    if (data.shape().values() > 1100 * input.size() || part->source->size() > 1100 * input.size())
      std::abort();
    if (part->labels.size() != part->size()) std::abort();
    for (const std::uint32_t label : part->labels)
      if (label >= data.classes) std::abort();
    const pith::train::Normaliser normaliser(part->source->measure(part->indices), data.shape().channels);
    std::vector<float> values(data.shape().values());
    for (const pith::Item index : {part->indices.front(), part->indices.back()})
      part->source->read(index, pith::train::Augmentation::crop_and_flip, 7, normaliser, values.data());
  }
}

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiment/cell.h"
#include "pith/options.h"

namespace pith::train {

/// Splits at blanks; blanks between single or double quotes do not count. Throws Error{bad_option} on an open
/// quote.
[[nodiscard]] std::vector<std::string> split_words(const std::string& text, const std::string& option);

/// "name=submod-bal --gamma 0.3": the strategy first, or as --strategy; without "name=", the whole text is
/// the name. Options are brought into the one spelling "--strategy S --option value ...", in the order given.
[[nodiscard]] Variant parse_variant(const std::string& text);

/// What the options mean.
struct VariantOptions {
  SelectOptions select;
  /// The seed model's probabilities p become p^(1/T), scaled to sum to 1: above 1 less certain.
  double temperature = 1;
};

/// Any option of pith select but budget and seed, which the experiment sets, and besides --temperature T and
/// --preset paper, which comes first wherever it stands.
[[nodiscard]] VariantOptions parse_variant_options(const Variant& variant);

/// Throws what selecting would throw of the variant's cap files, before anything is trained for it.
void check_cap_files(const Variant& variant, std::uint32_t classes);

}  // namespace pith::train

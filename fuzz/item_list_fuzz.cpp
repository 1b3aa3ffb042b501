#include <array>

#include "data/manifest.h"
#include "fuzz_target.h"

PITH_FUZZ_TARGET(item_list) {
  static const std::array<std::string, 4> ids = {"a.png", "b.png", "7", "id"};
  for (const char* name : {"items.txt", "items.csv", "items.tsv", "items.npy"}) {
    for (const bool with_ids : {false, true}) {
      try {
        const auto known = with_ids ? std::span<const std::string>(ids) : std::span<const std::string>();
        const pith::ItemList list =
            pith::parse_item_list(pith::fuzz::bytes_of_input(input, name), ids.size(), known);
        if (list.items.size() != list.labels.size() || list.items.size() > ids.size()) __builtin_trap();
      } catch (const pith::Error&) {
      }
    }
  }
}

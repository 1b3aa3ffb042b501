#include "data/column.h"
#include "fuzz_target.h"

PITH_FUZZ_TARGET(column) {
  constexpr std::size_t items = 3;
  for (const char* name : {"scores.csv", "scores.tsv", "scores.npy"})
    for (const char* column : {"", "a"})
      for (const auto range : {pith::ColumnRange::not_negative, pith::ColumnRange::positive}) {
        try {
          const auto values =
              pith::parse_column(pith::fuzz::bytes_of_input(input, name), column, items, range);
          if (values.size() != items) __builtin_trap();
          for (const double value : values)
            if (!(value >= 0) || (range == pith::ColumnRange::positive && value == 0)) __builtin_trap();
        } catch (const pith::Error&) {
        }
      }
}

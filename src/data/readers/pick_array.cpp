#include "data/readers/pick_array.h"

#include <algorithm>
#include <vector>

#include "data/refuse.h"

namespace pith {

std::size_t pick_array(const std::string& source, std::span<const std::string> names,
                       const std::string& asked, const std::function<bool(std::size_t)>& is_matrix) {
  if (names.empty()) refuse_input(source, "holds no arrays; save at least one");
  if (!asked.empty()) {
    const auto found = std::find(names.begin(), names.end(), asked);
    if (found == names.end())
      refuse_input(source, "has no array named {}; it holds {}", in_quotes(asked), list_in_quotes(names));
    return static_cast<std::size_t>(found - names.begin());
  }
  if (names.size() == 1) return 0;
  std::vector<std::size_t> matrices;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (is_matrix(i)) matrices.push_back(i);
  if (matrices.size() == 1) return matrices.front();
  refuse_input(source, "holds {} arrays, {} of them 2-D of floating type: {}; say which one as {}:name",
               names.size(), matrices.empty() ? "none" : std::to_string(matrices.size()),
               list_in_quotes(names), printable(source));
}

}  // namespace pith

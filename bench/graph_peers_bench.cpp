#include <cblas.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "bare_products.h"
#include "peers/peers.h"
#include "pith/error.h"
#include "pith/run.h"

// One contender, one process: what bench/graph_peers is made of. Contenders print one line of JSON a setting.
//
//   bench_graph_peers make mixture|gaussian N D f32|f16 SPREAD out.npy     SPREAD 0: mild overlap
//   bench_graph_peers convert from.npy to.npy                               to unit rows of f32
//   bench_graph_peers truth data.npy out.truth [mixture]
//   bench_graph_peers exact flat|bare|ours data.npy out.lists
//   bench_graph_peers approximate ours|ivf|hnsw|nn-descent|hnswlib data.npy truth WANTED CAP_SECONDS [ASKED]
//   bench_graph_peers recall data.npy truth lists
//   bench_graph_peers compare data.npy ours.lists theirs.lists              exit 1: not the same but for ties

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw pith::Error(pith::ErrorKind::bad_option,
                    "bench_graph_peers: " + what + "; run bench/graph_peers, which knows how");
}

void run_exact(const std::string& who, const std::string& data_path, const std::string& out) {
  const peers::Data data = peers::load_data(data_path);
  peers::Lists lists;
  double seconds = 0;
  if (who == "bare")
    seconds = peers::best_seconds([&] { bench::bare_products(data.rows, data.n, data.dimension, {}); });
  else if (who == "flat")
    seconds = peers::best_seconds([&] { lists = peers::search_faiss_flat(data); });
  else if (who == "ours")
    seconds = peers::best_seconds([&] { lists = peers::search_ours(data); });
  else
    refuse("unknown contender " + who);
  if (!lists.empty()) peers::save_bytes(out, lists.data(), lists.size() * sizeof(lists[0]));
  fmt::print("{{\"seconds\": {:.6f}, \"core\": \"{}\", \"bytes\": {:.0f}}}\n", seconds,
             openblas_get_corename(), peers::peak_bytes());
}

void run_approximate(const std::string& who, const std::string& data_path, const std::string& truth_path,
                     double wanted, double cap, double asked) {
  const peers::Data data = peers::load_data(data_path);
  peers::Trial trial(data, peers::load_truth(truth_path), wanted, cap);
  if (who == "ours")
    peers::try_ours(data, asked, trial);
  else if (who == "ivf")
    peers::try_faiss_ivf(data, trial);
  else if (who == "hnsw")
    peers::try_faiss_hnsw(data, trial);
  else if (who == "nn-descent")
    peers::try_faiss_nn_descent(data, trial);
  else if (who == "hnswlib")
    peers::try_hnswlib(data, trial);
  else
    refuse("unknown contender " + who);
}

int run(const std::vector<std::string>& args) {
  const std::size_t count = args.size();
  const std::string verb = count > 0 ? args[0] : "";
  if (verb == "make" && count == 7) {
    peers::make_data(args[1], std::stoull(args[2]), std::stoull(args[3]), args[4], std::stod(args[5]),
                     args[6]);
  } else if (verb == "convert" && count == 3) {
    peers::convert_data(args[1], args[2]);
  } else if (verb == "truth" && count >= 3) {
    peers::find_truth(peers::load_data(args[1]), args[2], count > 3);
  } else if (verb == "exact" && count == 4) {
    run_exact(args[1], args[2], args[3]);
  } else if (verb == "approximate" && count >= 6) {
    run_approximate(args[1], args[2], args[3], std::stod(args[4]), std::stod(args[5]),
                    std::stod(args.back()));
  } else if (verb == "recall" && count == 4) {
    const peers::Data data = peers::load_data(args[1]);
    fmt::print("{:.6f}\n",
               peers::recall_of(data, peers::load_lists(args[3], data), peers::load_truth(args[2])));
  } else if (verb == "compare" && count == 4) {
    const peers::Data data = peers::load_data(args[1]);
    const peers::Difference difference =
        peers::compare_lists(data, peers::load_lists(args[2], data), peers::load_lists(args[3], data));
    fmt::print("{{\"tied\": {}, \"wrong\": {}}}\n", difference.tied_rows, difference.wrong_rows);
    return difference.wrong_rows == 0 ? 0 : 1;
  } else {
    refuse("nothing to do with these arguments");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}

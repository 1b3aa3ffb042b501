#include "strategy/own_memory.h"

#include <algorithm>

namespace pith {
namespace {

/// ItemLengths: lengths, hashes while they are found, and a copy of rows that are no floats.
double item_lengths(const StrategySize& size) {
  return size.items * (16 + (size.floats ? 0 : 4 * size.dimension));
}

}  // namespace

/// A score and an item for each, all items once more while they are scored, and fallen scores as they come
/// about: taken to be as many as there are items, 24 bytes with the room they grow into.
double memory_of_greedy(const StrategySize& size) {
  return size.items * (16 + 4 + 8 + 24);
}

double memory_of_objective(const StrategySize& size) {
  return memory_of_greedy(size) + size.state;
}

/// Lengths and hashes, the filter, distances and how far each has been followed; every centre three times.
double memory_of_centers(const StrategySize& size) {
  return memory_of_greedy(size) + size.items * (16 + 4 + 8 + 12) + size.budget * (12 * size.dimension + 8);
}

double memory_of_gist(const StrategySize& size) {
  return memory_of_centers(size) + size.state + 8 * size.items;
}

double memory_of_badge(const StrategySize& size) {
  return item_lengths(size) + size.items * (4 * size.classes + 8 + 12 + 8) + memory_of_greedy(size);
}

/// A row of the factor for every item as far as it was followed, which depends on the data: taken to be all
/// the way for a quarter of the items. The picks' own rows come on top.
double memory_of_dpp(const StrategySize& size) {
  return memory_of_greedy(size) + item_lengths(size) + size.items * (8 + 24 + 8) +
         8 * size.budget * (size.items / 4 + size.budget);
}

double memory_of_medoids(const StrategySize& size) {
  return memory_of_greedy(size) + size.items * (4 * size.entries + 1 + 24 + 8 + 2) + 48 * size.budget;
}

/// All rows made ready for products.
double memory_of_mmd(const StrategySize& size) {
  return item_lengths(size) + size.items * (4 * size.dimension + 8 + 8 + 8 + 36) + memory_of_greedy(size);
}

double memory_of_rows(const StrategySize& size) {
  return item_lengths(size) + 16 * size.items + memory_of_greedy(size);
}

/// The nearest neighbour of another class, and how often each item is covered and chosen.
double memory_of_cover(const StrategySize& size) {
  return size.items * (8 + 4 + 4) + memory_of_greedy(size);
}

double memory_of_typiclust(const StrategySize& size) {
  const double cells = std::min(size.budget, 500.0);
  return memory_of_greedy(size) + size.items * (16 + 4 + 8 + 8 + 8 + 4) + 8 * size.dimension * 25 * cells;
}

/// A table of links for every item: a node a link, and buckets; and the queue of all links.
double memory_of_merging(const StrategySize& size) {
  return size.items * (56 + 16 + 8 + size.entries * (32 + 16) + size.entries / 2 * 32) +
         memory_of_greedy(size);
}

}  // namespace pith

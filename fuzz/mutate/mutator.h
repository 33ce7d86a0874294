#pragma once

/// What differs from kind to kind where cases are mutated: one row a kind; mutate.cpp is the frame.
/// The cases that a row's functions are given are of its kind.

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/generate/entropy.h>

namespace shardcheck::fuzz {

struct Mutator {
  Kind kind = Kind::product;

  /// A case as the generator draws it, run in one thread.
  Case (*drawn)(Entropy& entropy) = nullptr;
  /// Changes one part, whatever becomes of the others.
  void (*change)(Case& subject, Entropy& entropy) = nullptr;
  /// Changes what no longer fits the other parts, so that the next change finds a case that is one.
  void (*fit)(Case& subject, Entropy& entropy) = nullptr;
  /// Takes out what the model wouldn't have, at the end; null: nothing.
  void (*settle)(Case& subject) = nullptr;
  /// The shape of `first`, arithmetic and data of `second`.
  Case (*mixed)(const Case& first, const Case& second, Entropy& entropy) = nullptr;
};

const Mutator& mutator_of(Kind kind);

/// The rows.
extern const Mutator product_mutator;
extern const Mutator calls_mutator;

/// A recorded schedule fits no other case.
void redraw_run(Setting& setting, Entropy& entropy);

}  // namespace shardcheck::fuzz

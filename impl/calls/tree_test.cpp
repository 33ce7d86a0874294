// The order in which an algorithm combines partials, and where it rounds them: each tree replayed
// member by member from its definition in docs/collectives.md, on bf16 data of widely different
// size, of which nearly every sum rounds. And the operator that doesn't commute.

#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include <shardcheck/impl/by_hand/calls_definition.h>

namespace shardcheck::impl {
namespace {

using Values = std::vector<float>;

/// To nearest, ties to even, from the definition: bf16 is the upper half of an f32.
float to_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t low = bits & 0xffffU;
  std::uint32_t high = bits >> 16;
  if (low > 0x8000U || (low == 0x8000U && high % 2 == 1)) ++high;
  return std::bit_cast<float>(high << 16);
}

Bits bits_of(float value) { return std::bit_cast<std::uint32_t>(to_bf16(value)) >> 16; }
float value_of(Bits bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)); }

/// One element's tree: x is what the members have, in `acc`.
struct Tree {
  Dtype acc;
  Values x;

  std::size_t members() const { return x.size(); }
  float add(float one, float other) const {
    return acc == Dtype::bf16 ? to_bf16(one + other) : one + other;
  }
  float term(std::size_t member, std::size_t owner) const {
    return member == owner ? x[member] : to_bf16(x[member]);
  }

  float ring(std::size_t block) const {
    float running = x[(block + 1) % members()];
    for (std::size_t step = 2; step <= members(); ++step) {
      running = add(to_bf16(running), x[(block + step) % members()]);
    }
    return running;
  }
  float direct(std::size_t owner) const {
    float running = term(0, owner);
    for (std::size_t member = 1; member < members(); ++member) {
      running = add(running, term(member, owner));
    }
    return running;
  }
  float pairwise(std::size_t block) const {
    float running = x[block];
    for (std::size_t step = 1; step < members(); ++step) {
      running = add(running, to_bf16(x[(block + members() - step) % members()]));
    }
    return running;
  }
  float binomial(std::size_t root, std::size_t u = 0) const {
    float running = x[(u + root) % members()];
    for (std::size_t d = 1; (u & d) == 0 && u + d < members(); d *= 2) {
      running = add(running, to_bf16(binomial(root, u + d)));
    }
    return running;
  }
  float chain(std::size_t root, std::size_t u = 0) const {
    const float own = x[(u + root) % members()];
    return u + 1 < members() ? add(own, to_bf16(chain(root, u + 1))) : own;
  }

  std::size_t folded_in() const { return members() - std::bit_floor(members()); }
  Values folded() const {
    Values values;
    for (std::size_t v = 0; v < folded_in(); ++v) {
      values.push_back(add(to_bf16(x[2 * v]), x[2 * v + 1]));
    }
    for (std::size_t member = 2 * folded_in(); member < members(); ++member) {
      values.push_back(x[member]);
    }
    return values;
  }
  /// `v`: the folded rank that ends with the element.
  float halving(std::size_t v) const {
    Values values = folded();
    for (std::size_t d = values.size() / 2; d > 0; d /= 2) {
      Values next;
      for (std::size_t one = 0; one < values.size(); ++one) {
        next.push_back(add(values[one], to_bf16(values[one ^ d])));
      }
      values = next;
    }
    return values[v];
  }
  float doubling() const {
    Values values = folded();
    for (std::size_t d = 1; d < values.size(); d *= 2) {
      Values next;
      for (std::size_t one = 0; one < values.size(); ++one) {
        next.push_back(add(to_bf16(values[one]), to_bf16(values[one ^ d])));
      }
      values = next;
    }
    return values[0];
  }
};

/// The part of n elements, cut balanced, in which a position lies.
std::size_t balanced_part(std::size_t position, std::size_t n, std::size_t parts) {
  std::size_t part = 0;
  std::size_t end = 0;
  for (;; ++part) {
    end += n / parts + (part < n % parts ? 1 : 0);
    if (position < end) return part;
  }
}

float tree_value(const Call& call, const Tree& tree, std::size_t position, std::size_t n,
                 std::size_t owner) {
  const bool is_all = call.collective == Collective::all_reduce;
  const std::size_t block = is_all ? balanced_part(position, n, tree.members()) : owner;
  switch (call.algorithm) {
    case Algorithm::ring: return tree.ring(block);
    case Algorithm::direct: return tree.direct(block);
    case Algorithm::pairwise: return tree.pairwise(block);
    case Algorithm::binomial: return tree.binomial(is_all ? 0 : owner);
    case Algorithm::chain: return tree.chain(owner);
    case Algorithm::doubling: return tree.doubling();
    case Algorithm::rabenseifner:
      return tree.halving(balanced_part(position, n, std::bit_floor(tree.members())));
    case Algorithm::halving:
      return tree.halving(block < 2 * tree.folded_in() ? block / 2 : block - tree.folded_in());
    default: ADD_FAILURE() << "no tree"; return 0;
  }
}

/// bf16 numbers of eight bits between 2^-6 and 2^7, either sign.
void fill_with_bf16(CallsCase& subject, std::mt19937_64& random) {
  fill(subject, random);
  for (std::vector<Bits>& input : subject.data.given) {
    for (Bits& bits : input) bits = (bits & 0x807fU) | (121 + random() % 13) << 7;
  }
}

void expect_trees(ShardedBackend& backend, const CallsCase& subject) {
  const Call& call = subject.calls[0];
  SCOPED_TRACE(std::string(name(call.collective)) + " by " + std::string(name(call.algorithm)) +
               ", " + std::to_string(subject.data.given.size()) + " members");
  const CallsRun run = run_calls(backend, subject, subject.n);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  const std::size_t members = subject.data.given.size();
  for (std::size_t member = 0; member < members; ++member) {
    const Part& part = run.results[member];
    for (std::size_t at = 0; at < part.elements.size(); ++at) {
      const auto position = static_cast<std::size_t>(part.coordinates[at]);
      Tree tree{subject.dtypes.acc, {}};
      for (const std::vector<Bits>& input : subject.data.given) {
        tree.x.push_back(value_of(input[position]));
      }
      float value = tree_value(call, tree, position, static_cast<std::size_t>(subject.n), member);
      if (subject.op == Operator::average) {
        value /= static_cast<float>(members);
        if (subject.dtypes.acc == Dtype::bf16) value = to_bf16(value);
      }
      ASSERT_EQ(part.elements[at], bits_of(value)) << "member " << member << ", " << position;
    }
  }
}

TEST(CollectiveTrees, AreThoseOfThePage) {
  std::mt19937_64 random(1);
  ShardedBackend backend;
  for (std::int64_t members = 1; members <= 17; ++members) {
    for (const Collective collective : every_collective) {
      if (!reduces(collective)) continue;
      for (const Algorithm algorithm : algorithms_of(collective)) {
        for (const Dtype acc : {Dtype::f32, Dtype::bf16}) {
          for (const Operator op : {Operator::sum, Operator::average}) {
            CallsCase subject =
                basic_case({{collective, algorithm}}, members, 2 * members + 3, Dtype::bf16);
            subject.dtypes.acc = acc;
            subject.op = op;
            subject.run.kind = random() % 4 == 0 ? Run::Kind::threads : Run::Kind::fibers;
            subject.run.seed = random();
            subject.root =
                has_root(collective) ? static_cast<std::int64_t>(random() % 17) % members : 0;
            fill_with_bf16(subject, random);
            expect_trees(backend, subject);
          }
        }
      }
    }
  }
}

Bits matrix_product(Bits left, Bits right) {
  const auto entry = [](Bits matrix, int row, int column) {
    return (matrix >> (8 * (2 * row + column)) & 0xffU) % 251;
  };
  Bits product = 0;
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 2; ++column) {
      Bits sum = 0;
      for (int k = 0; k < 2; ++k) sum += entry(left, row, k) * entry(right, k, column);
      product |= sum % 251 << (8 * (2 * row + column));
    }
  }
  return product;
}

Bits fold_left(const std::vector<Bits>& terms, Bits (*combine)(Bits, Bits)) {
  Bits result = terms[0];
  for (std::size_t at = 1; at < terms.size(); ++at) result = combine(result, terms[at]);
  return result;
}

void expect_folds(ShardedBackend& backend, const CallsCase& subject, const Fold& fold) {
  const CallsRun run = run_calls(backend, subject, subject.n);
  if (subject.op == Operator::matrix && run.seen.ending == Ending::unsupported) return;
  EXPECT_EQ(run.results, results_by_definition(subject, fold))
      << name(subject.op) << ", " << name(subject.calls[0].collective) << " by "
      << name(subject.calls[0].algorithm) << ", " << subject.data.given.size() << " members";
}

TEST(CollectiveTrees, KeepTheOrderOfTheMembersWhereItMatters) {
  std::mt19937_64 random(2);
  ShardedBackend backend;
  for (std::int64_t members = 1; members <= 17; ++members) {
    for (const Collective collective : every_collective) {
      if (!reduces(collective)) continue;
      for (const Algorithm algorithm : algorithms_of(collective)) {
        CallsCase subject = basic_case({{collective, algorithm}}, members, members + 2, Dtype::u32);
        subject.op = Operator::matrix;
        // By a chain or a tree from member 0 alone.
        if (algorithm == Algorithm::direct && has_root(collective)) subject.root = members / 2;
        fill(subject, random);
        expect_folds(backend, subject, [](const std::vector<Bits>& terms) {
          return fold_left(terms, matrix_product);
        });
      }
    }
  }
}

struct IntegerOperator {
  Operator op;
  Dtype dtype;
  Bits (*combine)(Bits, Bits);
};

std::int64_t as_i8(Bits bits) { return static_cast<std::int8_t>(bits); }

constexpr std::array integer_operators{
    IntegerOperator{Operator::product, Dtype::u16, [](Bits x, Bits y) { return x * y & 0xffffU; }},
    IntegerOperator{Operator::min, Dtype::u8, [](Bits x, Bits y) { return std::min(x, y); }},
    IntegerOperator{Operator::max, Dtype::u64, [](Bits x, Bits y) { return std::max(x, y); }},
    IntegerOperator{Operator::min, Dtype::i8,
                    [](Bits x, Bits y) { return as_i8(x) < as_i8(y) ? x : y; }},
    IntegerOperator{Operator::max, Dtype::i8,
                    [](Bits x, Bits y) { return as_i8(x) > as_i8(y) ? x : y; }},
    IntegerOperator{Operator::bit_and, Dtype::i16, [](Bits x, Bits y) { return x & y; }},
    IntegerOperator{Operator::bit_or, Dtype::u8, [](Bits x, Bits y) { return x | y; }},
    IntegerOperator{Operator::bit_xor, Dtype::i32, [](Bits x, Bits y) { return x ^ y; }},
};

TEST(CollectiveTrees, GiveTheSameByEveryAlgorithmWhereNothingRounds) {
  std::mt19937_64 random(3);
  ShardedBackend backend;
  for (const IntegerOperator& one : integer_operators) {
    for (std::int64_t members = 1; members <= 9; ++members) {
      for (const Collective collective : every_collective) {
        if (!reduces(collective)) continue;
        for (const Algorithm algorithm : algorithms_of(collective)) {
          CallsCase subject =
              basic_case({{collective, algorithm}}, members, 2 * members + 1, one.dtype);
          subject.op = one.op;
          fill(subject, random);
          expect_folds(backend, subject, [&](const std::vector<Bits>& terms) {
            return fold_left(terms, one.combine);
          });
        }
      }
    }
  }
}

TEST(CollectiveTrees, TruncateAnAverageOfIntegersTowardsZero) {
  std::mt19937_64 random(4);
  ShardedBackend backend;
  for (std::int64_t members = 1; members <= 9; ++members) {
    for (const Collective collective : every_collective) {
      if (!reduces(collective)) continue;
      for (const Algorithm algorithm : algorithms_of(collective)) {
        CallsCase subject =
            basic_case({{collective, algorithm}}, members, 2 * members + 1, Dtype::i8);
        subject.op = Operator::average;
        fill(subject, random);
        expect_folds(backend, subject, [](const std::vector<Bits>& terms) {
          std::int64_t sum = 0;
          for (const Bits term : terms) sum += as_i8(term);
          const std::int64_t wrapped = as_i8(static_cast<Bits>(sum));
          return static_cast<Bits>(wrapped / static_cast<std::int64_t>(terms.size())) & 0xffU;
        });
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck::impl

#include <chrono>
#include <random>

#include <gtest/gtest.h>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

struct BadLine {
  std::string line;
  std::string marked;  ///< the piece of the line at whose start the error must point; "": the end
  std::string found;
  std::string expected;  ///< somewhere in what was expected
};

const std::string sizes = "matmul mesh=x2,y3 i=3 j=2 k=6 ";
const std::string layouts = "A[i,k/x] B[k/x,j] -> C[i,j] ";

void expect_errors(const std::vector<BadLine>& bad_lines) {
  for (const BadLine& bad : bad_lines) {
    const auto result = parse_product(bad.line);
    ASSERT_FALSE(result) << bad.line;
    const std::size_t at = bad.marked.empty() ? bad.line.size() : bad.line.rfind(bad.marked);
    ASSERT_NE(at, std::string::npos) << bad.line << " has no " << bad.marked;
    EXPECT_EQ(result.error().column, at + 1) << bad.line << "\n" << print(result.error());
    EXPECT_EQ(result.error().found, bad.found) << bad.line;
    EXPECT_NE(result.error().expected.find(bad.expected), std::string::npos)
        << bad.line << "\n"
        << print(result.error());
  }
}

TEST(CaseErrors, UnknownDoubledAndMissingPiecesAreNamed) {
  expect_errors({
      {"", "", "", "matmul"},
      {"matmull i=1", "matmull", "matmull", "matmul"},
      {sizes + layouts + "kk=3", "kk=3", "kk=3", "k="},
      {sizes + layouts + "split.C.k=ceil", "split.C.k", "split.C.k=ceil", "split."},
      {sizes + layouts + "j=2", "j=2", "j=2", "j= once"},
      {sizes + layouts + "A[i,k]", "A[i,k]", "A[i,k]", "one layout of A"},
      {sizes + "A[i,k/x] B[k/x,j]", "", "", "layout of C"},
      {sizes + "A[i,k/x] B[k/x,j] ->", "", "", "layout of C"},
      {sizes + "A[i,k/x] B[k/x", "", "", ", and axis j"},
      {"matmul mesh=x2 i=3 j=2 " + layouts, "", "", "k="},
      {"matmul mesh=x2 i=3 j=2 k= " + layouts, " A[", "", "a number from 0"},
      {"matmul mesh=x2 i=2 j=", "", "", "a number from 0"},
      {"matmul mesh=x2 i=2 j=2 k=2", "", "", "layout of A"},
      {sizes + "A[i,k] B[k,j] C[i,j]", "C[i,j]", "C[i,j]", "-> before"},
      {sizes + "A[i,k] -> B[k,j] -> C[i,j]", "B[k,j]", "B[k,j]", "C's layout"},
      {sizes + layouts + "word", "word", "word", "key=value"},
  });
}

TEST(CaseErrors, BadNumbersAndSizesAreNamed) {
  expect_errors({
      {"matmul i=-1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]", "-1", "-1", "from 0"},
      {"matmul i=1x j=1 k=1 A[i,k] B[k,j] -> C[i,j]", "1x", "1x", "from 0"},
      {"matmul i=1099511627776 j=1 k=1 A[i,k] B[k,j] -> C[i,j]", "1099", "1099511627776",
       "67108864"},
      {"matmul i=99999999999999999999 j=1 k=1 A[i,k] B[k,j] -> C[i,j]", "99999999999999999999",
       "99999999999999999999", "67108864"},
      {"matmul i=1048576 j=1048576 k=0 A[i,k] B[k,j] -> C[i,j]", "1048576 k", "1048576",
       "67108864 elements in C"},
      {"matmul mesh=x1024 i=1048576 j=1 k=1 A[i,k] B[k,j] -> C[i,j]", "1048576", "1048576",
       "4294967296 bytes"},
      {"matmul mesh=x1024 i=67108864 j=0 k=0 A[i,k] B[k,j] -> C[i,j]", "67108864", "67108864",
       "4294967296 bytes"},
      // 1,024 lists of A's 2^19 rows fill 4 GiB; C's rows come on top.
      {"matmul mesh=x1024 i=524288 j=0 k=0 A[i,k] B[k,j] -> C[i/x,j]", "524288", "524288",
       "4294967296 bytes"},
      {sizes + layouts + "data=ints:x", "x", "x", "a seed"},
      {sizes + layouts + "data=ints:18446744073709551616", "1844", "18446744073709551616",
       "a seed"},
  });
}

TEST(CaseErrors, BadMeshesAndLayoutsAreNamed) {
  const std::string plain = " i=3 j=2 k=6 ";
  expect_errors({
      {"matmul mesh=" + plain + layouts, " i=", "", "mesh axis"},
      {"matmul mesh=2" + plain + layouts, "2 i", "2", "mesh axis"},
      {"matmul mesh=x" + plain + layouts, "x i", "x", "mesh axis"},
      {"matmul mesh=x0" + plain + layouts, "0 i", "0", ""},
      {"matmul mesh=x2,x3" + plain + layouts, "x3", "x3", "once"},
      {"matmul mesh=x1025" + plain + layouts, "1025", "1025", "1024 ranks"},
      {"matmul mesh=x1024,y2" + plain + layouts, "2 i", "2", "1024 ranks"},
      {"matmul mesh=x9999999999,y9999999999" + plain + layouts, "9999999999,", "9999999999",
       "1024"},
      {"matmul mesh=a1,b1,c1,d1,e1,f1,g1,h1,l1" + plain + layouts, "l1", "l1", "8 mesh axes"},
      {sizes + "A[i,k/z] B[k,j] -> C[i,j]", "z", "z", "axis of the mesh (x, y)"},
      {sizes + "A[i/x,k/x] B[k,j] -> C[i,j]", "x] B", "x", "once in a tensor"},
      {sizes + "A[i,k/x/x] B[k,j] -> C[i,j]", "x] B", "x", "once in a tensor"},
      {sizes + "A[k,i] B[k,j] -> C[i,j]", "k,i", "k", "axis i"},
      {sizes + "A[i,k/] B[k,j] -> C[i,j]", "] B", "]", "axis of the mesh"},
      {sizes + "A[i] B[k,j] -> C[i,j]", "] B", "]", "axis k"},
      {sizes + "A[i,k]+x B[k,j] -> C[i,j]", "+x", "+x", "only C"},
      {sizes + "A[i,k] B[k,j] -> C[i/x,j]+x", "x", "x", "doesn't cut C"},
      {sizes + "A[i,k] B[k,j] -> C[i,j]+z", "z", "z", "axis of the mesh"},
      {sizes + "A[i,k] B[k,j] -> C[i,j]+x+x", "x", "x", "once"},
      {sizes + "A[i,k] B[k,j] -> C[i,j]x", "x", "x", "+"},
  });
}

TEST(CaseErrors, BadSplitsAreNamed) {
  expect_errors({
      {sizes + layouts + "split.k=halves", "halves", "halves", "balanced"},
      {sizes + layouts + "split.k=sets:0,1,2|2,3,4,5", "2,3", "2", "overlap"},
      {sizes + layouts + "split.k=sets:0,1,2|4,5", "0,1", "0,1,2|4,5", "index 3 is in none"},
      {sizes + layouts + "split.k=sets:0,1,2|3,4,6", "6", "6", "from 0 to 5"},
      {sizes + layouts + "split.k=sets:0,1,2|3,4,-5", "-5", "-5", "from 0 to 5"},
      {sizes + layouts + "split.k=sets:0,1,2,3,4,5", "sets", "sets:0,1,2,3,4,5", "2 parts"},
      {sizes + layouts + "split.k=sizes:1,2,3", "sizes", "sizes:1,2,3", "2 parts"},
      {sizes + layouts + "split.k=sizes:1,2", "1,2", "1,2", "sum to 6"},
      {sizes + layouts + "split.k=sizes:5,2", "2", "2", "sum to 6"},
      {sizes + layouts + "split.k=sizes:9223372036854775807,9223372036854775807",
       "9223372036854775807,", "9223372036854775807", "sum to 6"},
      {sizes + layouts + "split.k=cyclic:0", "0", "0", "block from 1"},
      {sizes + layouts + "split.k=cyclic:", "", "", "block from 1"},
      {sizes + layouts + "split.i=ceil", "ceil", "ceil", "divides i"},
      {sizes + layouts + "split.C.i=ceil", "ceil", "ceil", "divides i of C"},
      {sizes + "A[i,k/x] B[k/x/y,j] -> C[i,j] split.k=sizes:3,3", "sizes", "sizes:3,3",
       "6 parts, as many as k of B"},
      {"matmul mesh=x1 i=1 j=1 k=0 A[i,k/x] B[k,j] -> C[i,j] split.k=sets:0", "0", "0", "size 0"},
  });
}

TEST(CaseErrors, BadDtypesAndNamesAreNamed) {
  expect_errors({
      {sizes + layouts + "in=float", "float", "float", "f8e4m3fn"},
      {sizes + layouts + "in=f64 acc=f32", "f32", "f32", "holds every f64"},
      {sizes + layouts + "in=i32 acc=f64", "f64", "f64", "holds every i32"},
      {sizes + layouts + "wire=f64", "f64", "f64", "f32 holds"},
      {sizes + layouts + "out=i32", "i32", "i32", "a float"},
      {sizes + layouts + "in=i8 out=i64", "i64", "i64", "no wider"},
      {sizes + layouts + "in=i64 wire=i32", "i32", "i32", "no wider"},
      {sizes + layouts + "algorithm.all_gather=tree", "tree", "tree",
       "an algorithm of all_gather: ring, direct, doubling, bruck"},
      {sizes + layouts + "algorithm.all_reduce=bruck", "bruck", "bruck", "doubling, rabenseifner"},
      {sizes + layouts + "order=some", "some", "some", "declared"},
      {sizes + layouts + "kernel=slow", "slow", "slow", "ordered"},
      {sizes + layouts + "fma=maybe", "maybe", "maybe", "no, yes or any"},
      {sizes + layouts + "plan=local+reduce:C/x", "reduce", "reduce:C/x", "a step"},
      {sizes + layouts + "data=primes:1", "primes", "primes", "rounding"},
      {sizes + layouts + "run=fiber", "fiber", "fiber", "fibers:SEED"},
      {sizes + layouts + "run=threads:1", "threads", "threads:1", "threads"},
      {sizes + layouts + "run=pct:-1:0", "-1", "-1", "from 0"},
      {sizes + layouts + "run=trace:1,,2", ",2", "", "from 0"},
  });
}

TEST(CaseErrors, BadValuesAreNamed) {
  const std::string small = "matmul i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] ";
  expect_errors({
      {small + "data=given A=1,2", "", "", "B="},
      {small + "A=1,2", "1,2", "1,2", "data=given"},
      {small + "data=given A=1 B=1,2", " B=", "", "2 values of A, not 1"},
      {small + "data=given A=1,2,3 B=1,2", "3 B", "3", "2 values of A"},
      {small + "data=given A=1,2 B=1,", "", "", "exactly"},
      {small + "data=given A=1,0.1 B=1,2", "0.1", "0.1", "f32 holds exactly"},
      {small + "data=given A=1,1e39 B=1,2", "1e39", "1e39", "f32 holds exactly"},
      {small + "in=i8 data=given A=1,128 B=1,2", "128", "128", "i8 holds exactly"},
      {small + "data=given:1 A=1,2 B=1,2", "1 A", "1", "without a seed"},
      {"matmul i=0 j=1 k=2 A[i,k] B[k,j] -> C[i,j] data=given A=1 B=1,2", "1 B", "1", "0 values"},
  });
}

TEST(CaseErrors, AMessageIsOneLineWithAColumn) {
  EXPECT_EQ(print(ParseError{12, "kk=3", "a key"}), "column 12: found 'kk=3', expected a key");
  EXPECT_EQ(print(ParseError{12, "", "a key"}), "column 12: found nothing, expected a key");
  const auto result = parse_product("matmul \n\x01\xff" + std::string(1000, 'z'));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().column, 8U);
  EXPECT_EQ(result.error().found.substr(0, 13), "\\x0a\\x01\\xffz");
  EXPECT_LT(result.error().found.size(), 100U);
}

/// Parsing `line` ends well: with a case that prints canonically, or with one line of error.
void expect_no_crash(const std::string& line) {
  const auto result = parse_product(line);
  if (!result) {
    const std::string message = print(result.error());
    ASSERT_LT(message.size(), 600U);
    ASSERT_GE(result.error().column, 1U);
    ASSERT_LE(result.error().column, line.size() + 1);
    for (const char c : message) ASSERT_TRUE(c >= 0x20 && c < 0x7f) << message;
    return;
  }
  const std::string canonical = print(*result);
  const auto again = parse_product(canonical);
  ASSERT_TRUE(again) << line << "\n" << canonical << "\n" << print(again.error());
  ASSERT_EQ(*again, *result) << line << "\n" << canonical;
  ASSERT_EQ(print(*again), canonical);
}

TEST(CaseErrors, RandomBytesNeverCrash) {
  std::mt19937_64 random(3);
  for (int n = 0; n < 5000; ++n) {
    std::string line(random() % 200, '\0');
    for (char& c : line) c = static_cast<char>(random());
    expect_no_crash(line);
    expect_no_crash("matmul " + line);
  }
}

TEST(CaseErrors, MutatedLinesNeverCrash) {
  const std::vector<std::string> lines{
      "matmul mesh=x2,y3 i=4 j=5 k=6 A[i/y,k/x] B[k/x,j] -> C[i/x,j]+y split.i=ceil "
      "split.C.i=cyclic:2 split.k=sets:0,3,5|1,2,4 split.B.k=sizes:6,0 in=bf16 wire=bf16 "
      "plan=exchange:B[k/x,j]+local+reduce_scatter:C/x run=pct:3:4",
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f16 data=given A=1,-0,nan,inf "
      "B=0x1.8p-3,2.5,1e3,65504 order=any fma=yes run=trace:0,1",
      "matmul mesh=x2 i=9 j=9 k=9 A[i,k/x] B[k,j/x] -> C[i,j] in=u8 acc=i64 wire=i32 out=i32 "
      "algorithm.all_gather=direct data=probe:77 kernel=ordered"};
  const std::string alphabet = "0123456789ijkxyABC[]/,:|+->= .pe";
  std::mt19937_64 random(5);
  int parsed = 0;
  for (int n = 0; n < 30000; ++n) {
    std::string line = lines[random() % lines.size()];
    for (std::uint64_t edits = random() % 3 + 1; edits > 0; --edits) {
      const std::size_t at = random() % line.size();
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 4) {
        case 0: line[at] = c; break;
        case 1: line.insert(at, 1, c); break;
        case 2: line.erase(at, random() % 4 + 1); break;
        default: line.insert(at, line.substr(random() % line.size(), random() % 8)); break;
      }
    }
    parsed += parse_product(line).has_value() ? 1 : 0;
    expect_no_crash(line);
  }
  EXPECT_GT(parsed, 300) << "mutations must not all be refused, or accepted ones go untested";
}

TEST(CaseErrors, HugeLinesAreRefusedQuickly) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(parse_product(std::string(static_cast<std::size_t>(limits::line_bytes) + 1, ' '))
                .error()
                .column,
            static_cast<std::size_t>(limits::line_bytes) + 1);
  expect_no_crash("matmul " + std::string(std::size_t{1} << 22, 'a') + "=3");
  expect_no_crash(sizes + layouts + "split.k=sets:" + std::string(std::size_t{1} << 22, '|'));
  expect_no_crash(sizes + layouts + "data=given B= A=" + std::string(std::size_t{1} << 22, '1'));
  expect_no_crash(sizes + layouts + "run=trace:" + std::string(std::size_t{1} << 22, ','));
  expect_no_crash(sizes + layouts + "plan=" + std::string(std::size_t{1} << 22, '+'));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace shardcheck

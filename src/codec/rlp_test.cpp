// RLP: known examples, rejected non-canonical forms, limits.
#include "codec/rlp.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost::codec {
namespace {

std::string written(const std::function<void(RlpWriter&)>& write) {
    RlpWriter out;
    write(out);
    return to_hex(out.view());
}

Bytes hex(std::string_view text) { return from_hex(text).value(); }

std::string error_of(const RlpReader& reader) { return reader.error() ? reader.error()->what : "no error"; }

std::string bytes_error(std::string_view text) {
    const Bytes input = hex(text);
    RlpReader reader(input);
    (void)reader.bytes("field");
    reader.expect_end("the field");
    return error_of(reader);
}

// The examples of the Yellow Paper's appendix and of the RLP page of ethereum.org.
TEST(RlpWriter, WritesKnownExamples) {
    EXPECT_EQ(written([](auto& out) { out.bytes(as_bytes("dog")); }), "83646f67");
    EXPECT_EQ(written([](auto& out) { out.bytes({}); }), "80");
    EXPECT_EQ(written([](auto& out) { out.bytes(hex("00")); }), "00");
    EXPECT_EQ(written([](auto& out) { out.bytes(hex("80")); }), "8180");
    EXPECT_EQ(written([](auto& out) { out.integer(std::uint64_t{0}); }), "80");
    EXPECT_EQ(written([](auto& out) { out.integer(std::uint64_t{15}); }), "0f");
    EXPECT_EQ(written([](auto& out) { out.integer(std::uint64_t{1024}); }), "820400");
    EXPECT_EQ(written([](auto& out) { out.end_list(out.begin_list()); }), "c0");
    EXPECT_EQ(written([](auto& out) {
                  const auto list = out.begin_list();
                  out.bytes(as_bytes("cat"));
                  out.bytes(as_bytes("dog"));
                  out.end_list(list);
              }),
              "c88363617483646f67");
    EXPECT_EQ(
        written([](auto& out) { out.bytes(as_bytes("Lorem ipsum dolor sit amet, consectetur adipisicing elit")); }),
        "b8384c6f72656d20697073756d20646f6c6f722073697420616d65742c20636f6e7365637465747572206164697069736963696e67"
        "20656c6974");
}

// [ [], [[]], [ [], [[]] ] ], the set-theoretical three.
TEST(RlpWriter, NestsLists) {
    const auto empty = [](RlpWriter& out) { out.end_list(out.begin_list()); };
    const auto one = [&](RlpWriter& out) {
        const auto list = out.begin_list();
        empty(out);
        out.end_list(list);
    };
    EXPECT_EQ(written([&](auto& out) {
                  const auto three = out.begin_list();
                  empty(out);
                  one(out);
                  const auto two = out.begin_list();
                  empty(out);
                  one(out);
                  out.end_list(two);
                  out.end_list(three);
              }),
              "c7c0c1c0c3c0c1c0");
}

TEST(RlpReader, RejectsNonCanonicalForms) {
    EXPECT_EQ(bytes_error("7f"), "no error");
    EXPECT_EQ(bytes_error("817f"), "field: a byte below 0x80 must be encoded as itself, without a length");
    EXPECT_EQ(bytes_error("b801ff"), "field: its length is not in the shortest form");
    EXPECT_EQ(bytes_error("b837" + std::string(110, 'f')), "field: its length is not in the shortest form");
    EXPECT_EQ(bytes_error("b838" + std::string(112, 'f')), "no error");
    EXPECT_EQ(bytes_error("b90038" + std::string(112, 'f')), "field: its length is not in the shortest form");
}

TEST(RlpReader, RejectsTruncatedOrSurplusInput) {
    EXPECT_EQ(bytes_error(""), "field: is missing");
    EXPECT_EQ(bytes_error("83646f"), "field: has a length of 3, but only 2 bytes follow");
    EXPECT_EQ(bytes_error("b8"), "field: ends within its length");
    EXPECT_EQ(bytes_error("bbffffff"), "field: ends within its length");
    EXPECT_EQ(bytes_error("bbffffffff00"), "field: has a length of 4294967295, but only 1 bytes follow");
    EXPECT_EQ(bytes_error("bfffffffffffffffff"),
              "field: has a length of 18446744073709551615, but only 0 bytes follow");
    EXPECT_EQ(bytes_error("0102"), "1 bytes follow the field");
    EXPECT_EQ(bytes_error("c0"), "field: is a list, but must be a string of bytes");
}

TEST(RlpReader, RejectsInvalidIntegers) {
    const auto integer_error = [](std::string_view text) {
        const Bytes input = hex(text);
        RlpReader reader(input);
        (void)reader.uint64("nonce");
        return error_of(reader);
    };
    EXPECT_EQ(integer_error("80"), "no error");
    EXPECT_EQ(integer_error("00"), "nonce: an integer must not have leading zeros");
    EXPECT_EQ(integer_error("820001"), "nonce: an integer must not have leading zeros");
    EXPECT_EQ(integer_error("88ffffffffffffffff"), "no error");
    EXPECT_EQ(integer_error("89010000000000000000"), "nonce: has 9 bytes, but must fit 8");
}

TEST(RlpReader, NamesPathToError) {
    const Bytes input = hex("c3c281ff");
    RlpReader reader(input);
    reader.list("outer", [](RlpReader& outer) {
        outer.list("inner", [](RlpReader& inner) { (void)inner.fixed<FixedBytes<2, struct PairTag>>("pair"); });
    });
    EXPECT_EQ(error_of(reader), "outer: inner: pair: has 1 bytes, but must have 2");
}

TEST(RlpReader, RejectsUnreadItems) {
    const Bytes input = hex("c20102");
    RlpReader reader(input);
    reader.list("list", [](RlpReader& items) { (void)items.uint64("one"); });
    EXPECT_EQ(error_of(reader), "list: 1 bytes follow the last item");
}

TEST(RlpReader, KeepsFirstErrorAndEnds) {
    const Bytes input = hex("0001");
    RlpReader reader(input);
    EXPECT_EQ(reader.uint64("first"), 0U);
    EXPECT_TRUE(reader.at_end());
    EXPECT_EQ(reader.uint64("second"), 0U);
    EXPECT_EQ(error_of(reader), "first: an integer must not have leading zeros");
}

void descend(RlpReader& reader, unsigned& depth) {
    if (reader.at_end()) return;
    ++depth;
    reader.list("list", [&depth](RlpReader& items) { descend(items, depth); });
}

TEST(RlpReader, StopsAtDepthLimit) {
    RlpWriter out;
    std::vector<RlpWriter::ListStart> starts(10'000, out.begin_list());
    for (const auto start : starts)
        out.end_list(start);
    RlpReader reader(out.view());
    unsigned depth = 0;
    descend(reader, depth);
    EXPECT_EQ(depth, RlpReader::max_depth);
    EXPECT_TRUE(error_of(reader).ends_with("lists are nested too deeply")) << error_of(reader);
}

RC_GTEST_PROP(RlpProperty, RoundTripsEveryValue, (const Bytes& bytes, std::uint64_t number, const Bytes& large)) {
    const auto integer = Uint256::from_big_endian(ByteView(large).first(std::min<std::size_t>(large.size(), 32)));
    RlpWriter out;
    const auto list = out.begin_list();
    out.bytes(bytes);
    out.integer(number);
    out.integer(*integer);
    out.end_list(list);

    RlpReader reader(out.view());
    reader.list("list", [&](RlpReader& items) {
        RC_ASSERT(to_bytes(items.bytes("bytes")) == bytes);
        RC_ASSERT(items.uint64("number") == number);
        RC_ASSERT(items.uint256("integer") == *integer);
    });
    reader.expect_end("the list");
    RC_ASSERT(!reader.error());
}

// Property: every accepted string of bytes re-encodes unchanged.
RC_GTEST_PROP(RlpProperty, EncodingIsUnique, (const Bytes& input)) {
    RlpReader reader(input);
    const ByteView value = reader.bytes("value");
    reader.expect_end("the value");
    if (reader.error()) return;
    RlpWriter out;
    out.bytes(value);
    RC_ASSERT(to_bytes(out.view()) == input);
}

}  // namespace
}  // namespace fencepost::codec

#include "devchain/operation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost::devchain {
namespace {

template <typename Hash>
Hash some_hash() {
    Hash hash;
    for (auto& byte : hash.data)
        byte = *rc::gen::arbitrary<std::uint8_t>();
    return hash;
}

UnixTime some_time() { return UnixTime(std::chrono::microseconds(*rc::gen::positive<std::int64_t>())); }

Operation some_operation() {
    switch (*rc::gen::inRange(0, 5)) {
        case 0:
            return Funded{Address{some_hash<FixedBytes<20, AddressTag>>()}, *rc::gen::arbitrary<std::uint64_t>()};
        case 1:
            return Received{*rc::gen::nonEmpty<Bytes>()};
        case 2:
            return Evicted{some_hash<TxHash>()};
        case 3: {
            Mined mined{.at = some_time(), .hash = some_hash<BlockHash>(), .transactions = {}};
            mined.transactions.resize(*rc::gen::inRange<std::size_t>(0, 3), some_hash<TxHash>());
            return mined;
        }
        default:
            return Reorganised{some_time(), *rc::gen::arbitrary<std::uint64_t>(), some_hash<BlockHash>()};
    }
}

RC_GTEST_PROP(DevChainOperation, RoundTripsThroughText, ()) {
    const auto operation = some_operation();
    RC_ASSERT(parse_operation(to_line(operation)).value() == operation);
}

// A truncated line must not parse as a shorter valid one. A block may lose whole transactions, which is why an
// incomplete line is recognized by its missing line end and not by its content.
RC_GTEST_PROP(DevChainOperation, RefusesMalformedLines, ()) {
    const auto line = to_line(some_operation());
    RC_ASSERT(!parse_operation(line + " "
                                      "x")
                   .has_value());
    RC_ASSERT(!parse_operation("x" + line).has_value());
    RC_ASSERT(!parse_operation(line.substr(0, line.find(' '))).has_value());
}

TEST(DevChainOperation, TheFirstLineNamesTheFormatAndTheChain) {
    const Genesis genesis{.chain_id = 5, .at = UnixTime(std::chrono::microseconds(7))};
    EXPECT_EQ(to_line(genesis), "fencepost-devchain 1 chain 5 7");
    EXPECT_EQ(parse_genesis("fencepost-devchain 1 chain 5 7"), genesis);
    EXPECT_EQ(parse_genesis("fencepost-devchain 2 chain 5 7").error().what,
              "written by another version of this program");
    EXPECT_EQ(parse_genesis("some text").error().what, "not a file of a development chain");
    EXPECT_EQ(parse_genesis("fencepost-devchain 1 chain 5").error().what, "the first line is damaged");
}

}  // namespace
}  // namespace fencepost::devchain

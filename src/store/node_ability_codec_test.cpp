// Round trip of a node's ability, and tolerance of other versions.
#include "store/node_ability_codec.hpp"

#include <gtest/gtest.h>

namespace fencepost::store {
namespace {

using namespace std::chrono_literals;

const auto one_chain = ChainRef::evm(1);
const auto one_submitter = SubmitterId::evm(1, Address{});

TEST(NodeAbilityCodec, RoundTrips) {
    NodeAbility ability;
    ability.chains[one_chain] = {.ability = {.since = UnixTime(100s)}, .head = BlockNumber(~std::uint64_t{0})};
    ability.chains[ChainRef::evm(2)] = {
        .ability = {.cause = AbilityCause::send_failed, .since = UnixTime(7s), .retry_at = UnixTime(9s)}};
    ability.signers[one_submitter] = {.cause = AbilityCause::no_key, .since = UnixTime(1us)};
    EXPECT_EQ(decode_node_ability(encode(ability)), ability);
    EXPECT_EQ(decode_node_ability(encode(NodeAbility{})), NodeAbility{});
}

TEST(NodeAbilityCodec, IgnoresUnreadableValues) {
    for (const auto* text : {"", "{}", "[]", "null", "{\"chains\":[]}", "{\"chains\":{\"eip155:1\":7}}",
                             "{\"chains\":{\"no chain\":{\"able\":true}}}", "{\"chains\":{\"eip155:1\":{\"able\":1}}}",
                             "{\"signers\":{\"eip155:1\":{\"able\":true}}}"}) {
        EXPECT_EQ(decode_node_ability(text), NodeAbility{}) << text;
    }
}

TEST(NodeAbilityCodec, UnknownCauseMeansNotAble) {
    const auto read = decode_node_ability(R"({"chains":{"eip155:1":{"able":false,"cause":"moon","head":"x"}}})");
    EXPECT_FALSE(read.chains.at(one_chain).ability.is_able());
    EXPECT_EQ(read.chains.at(one_chain).head, std::nullopt);
}

}  // namespace
}  // namespace fencepost::store

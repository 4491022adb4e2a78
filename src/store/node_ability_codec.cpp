// Encodes and leniently decodes a node's ability.
#include "store/node_ability_codec.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace fencepost::store {
namespace {

namespace json = boost::json;

json::object to_json(const Ability& ability) {
    json::object object{{"able", ability.is_able()}, {"since", to_rfc3339(ability.since)}};
    if (ability.cause) object["cause"] = std::string(name_of(*ability.cause));
    if (ability.retry_at) object["retryAt"] = to_rfc3339(*ability.retry_at);
    return object;
}

std::optional<UnixTime> time_at(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    const auto time = parse_rfc3339(std::string_view(value->get_string()));
    return time ? std::optional(*time) : std::nullopt;
}

// A newer version may write causes that are unknown here: the node is still not able.
AbilityCause cause_at(const json::object& object) {
    const auto* value = object.if_contains("cause");
    if (value == nullptr || !value->is_string()) return AbilityCause::no_answer;
    return value_of<AbilityCause>(std::string_view(value->get_string())).value_or(AbilityCause::no_answer);
}

std::optional<Ability> ability_from(const json::value& value) {
    const auto* object = value.if_object();
    const auto* able = object == nullptr ? nullptr : object->if_contains("able");
    if (able == nullptr || !able->is_bool()) return std::nullopt;
    Ability ability{.since = time_at(*object, "since").value_or(UnixTime{}), .retry_at = time_at(*object, "retryAt")};
    if (!able->get_bool()) ability.cause = cause_at(*object);
    return ability;
}

std::optional<BlockNumber> head_at(const json::value& value) {
    const auto* head = value.get_object().if_contains("head");
    if (head == nullptr) return std::nullopt;
    boost::system::error_code error;
    const auto number = head->to_number<std::uint64_t>(error);
    return error ? std::nullopt : std::optional(BlockNumber(number));
}

template <typename Read>
void each_member(const json::value& from, std::string_view name, Read read) {
    const auto* object = from.if_object();
    const auto* members = object == nullptr ? nullptr : object->if_contains(name);
    if (members == nullptr || !members->is_object()) return;
    for (const auto& [key, value] : members->get_object())
        read(std::string_view(key), value);
}

}  // namespace

std::string encode(const NodeAbility& ability) {
    json::object chains;
    for (const auto& [chain, able] : ability.chains) {
        auto entry = to_json(able.ability);
        if (able.head) entry["head"] = able.head->value();
        chains[chain.to_string()] = std::move(entry);
    }
    json::object signers;
    for (const auto& [submitter, able] : ability.signers)
        signers[submitter.to_string()] = to_json(able);
    return json::serialize(json::object{{"chains", std::move(chains)}, {"signers", std::move(signers)}});
}

NodeAbility decode_node_ability(std::string_view text) {
    NodeAbility found;
    boost::system::error_code error;
    const auto value = json::parse(text, error);
    if (error) return found;
    each_member(value, "chains", [&](std::string_view name, const json::value& entry) {
        const auto chain = ChainRef::parse(name);
        const auto ability = ability_from(entry);
        if (chain && ability) found.chains[*chain] = {.ability = *ability, .head = head_at(entry)};
    });
    each_member(value, "signers", [&](std::string_view name, const json::value& entry) {
        const auto submitter = SubmitterId::parse(name);
        const auto ability = ability_from(entry);
        if (submitter && ability) found.signers[*submitter] = *ability;
    });
    return found;
}

}  // namespace fencepost::store

// Encodes progress compactly and decodes it leniently.
#include "store/tx_progress_codec.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace fencepost::store {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

// Far beyond every setting, yet small enough that sums of durations cannot overflow.
constexpr milliseconds longest = std::chrono::years(10);

std::int64_t milliseconds_of(Duration duration) { return std::chrono::floor<milliseconds>(duration).count(); }
void put(json::object& object, std::string_view key, Duration duration) { object[key] = milliseconds_of(duration); }
void put(json::object& object, std::string_view key, bool flag) {
    if (flag) object[key] = true;
}
void put(json::object& object, std::string_view key, std::uint32_t count) {
    if (count > 0) object[key] = count;
}

class Reader {
public:
    explicit Reader(const json::object& object) : object_(object) {}

    [[nodiscard]] std::int64_t integer(std::string_view key) const { return integer(object_.if_contains(key)); }
    [[nodiscard]] bool has(std::string_view key) const { return object_.contains(key); }
    [[nodiscard]] Duration duration(std::string_view key) const { return duration_of(integer(key)); }
    /// One element of an array.
    [[nodiscard]] Duration duration(std::string_view key, std::size_t index) const {
        return duration_of(integer(element(key, index)));
    }
    [[nodiscard]] bool has(std::string_view key, std::size_t index) const { return element(key, index) != nullptr; }
    [[nodiscard]] bool flag(std::string_view key) const {
        const auto* value = object_.if_contains(key);
        return value != nullptr && value->is_bool() && value->get_bool();
    }
    [[nodiscard]] std::uint32_t count(std::string_view key) const {
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(integer(key), 0, UINT32_MAX));
    }
    [[nodiscard]] std::string_view text(std::string_view key) const {
        const auto* value = object_.if_contains(key);
        return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
    }

private:
    [[nodiscard]] const json::value* element(std::string_view key, std::size_t index) const {
        const auto* value = object_.if_contains(key);
        const auto* array = value == nullptr ? nullptr : value->if_array();
        return array == nullptr ? nullptr : array->if_contains(index);
    }
    static std::int64_t integer(const json::value* value) {
        if (value == nullptr) return 0;
        boost::system::error_code error;
        const auto number = value->to_number<std::int64_t>(error);
        return error ? 0 : number;
    }
    static Duration duration_of(std::int64_t count) { return std::clamp(milliseconds(count), -longest, longest); }

    const json::object& object_;
};

}  // namespace

std::string encode(const TxProgress& progress) {
    json::object object;
    object["at"] = std::chrono::floor<milliseconds>(progress.written_at).time_since_epoch().count();
    // Time until resend, bump and STUCK, and time since the first send. Unnamed, and defaults are omitted: the row is
    // written often and must fit its page.
    json::array clocks{milliseconds_of(progress.resend_in), milliseconds_of(progress.bump_in),
                       milliseconds_of(progress.stuck_in)};
    if (progress.sent_for) clocks.push_back(milliseconds_of(*progress.sent_for));
    object["due"] = std::move(clocks);
    if (progress.lookup_for) put(object, "lookUp", *progress.lookup_for);
    const auto& facts = progress.facts;
    put(object, "claimed", facts.send_claimed);
    put(object, "neverHeld", !facts.was_held);
    put(object, "missing", facts.missing);
    put(object, "feeCapped", facts.fee_capped);
    put(object, "resends", facts.resends);
    put(object, "unheard", facts.unaccepted_sends);
    put(object, "tries", facts.tries);
    put(object, "refusals", facts.refusal_rounds);
    if (facts.stuck_decision) object["decision"] = name_of(*facts.stuck_decision);
    put(object, "withOperator", facts.with_operator);
    return json::serialize(object);
}

std::optional<TxProgress> decode_tx_progress(std::string_view text) {
    boost::system::error_code error;
    const auto value = json::parse(text, error);
    if (error || !value.is_object()) return std::nullopt;
    const Reader reader(value.get_object());
    if (!reader.has("at") || !reader.has("due", 2)) return std::nullopt;
    TxProgress progress{.written_at = UnixTime(milliseconds(reader.integer("at"))),
                        .resend_in = reader.duration("due", 0),
                        .bump_in = reader.duration("due", 1),
                        .stuck_in = reader.duration("due", 2)};
    if (reader.has("lookUp")) progress.lookup_for = reader.duration("lookUp");
    if (reader.has("due", 3)) progress.sent_for = reader.duration("due", 3);
    auto& facts = progress.facts;
    facts.send_claimed = reader.flag("claimed");
    facts.was_held = !reader.flag("neverHeld");
    facts.missing = reader.flag("missing");
    facts.fee_capped = reader.flag("feeCapped");
    facts.resends = reader.count("resends");
    facts.unaccepted_sends = reader.count("unheard");
    facts.tries = reader.count("tries");
    facts.refusal_rounds = reader.count("refusals");
    facts.stuck_decision = value_of<StuckDecision>(reader.text("decision"));
    facts.with_operator = reader.flag("withOperator");
    return progress;
}

}  // namespace fencepost::store

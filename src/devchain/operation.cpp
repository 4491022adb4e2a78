#include "devchain/operation.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::devchain {
namespace {

constexpr std::string_view format_name = "fencepost-devchain";
constexpr std::uint64_t format_version = 1;

std::int64_t micros(UnixTime time) { return time.time_since_epoch().count(); }

template <typename Hash>
std::string hex(const Hash& hash) {
    return to_hex_prefixed(hash.view());
}

struct Writer {
    std::string operator()(const Funded& o) const { return fmt::format("fund {} {}", o.account.to_lower(), o.amount); }
    std::string operator()(const Received& o) const { return fmt::format("receive {}", to_hex_prefixed(o.raw)); }
    std::string operator()(const Evicted& o) const { return fmt::format("evict {}", hex(o.hash)); }
    std::string operator()(const Mined& o) const {
        auto line = fmt::format("mine {} {}", micros(o.at), hex(o.hash));
        for (const auto& transaction : o.transactions)
            line += " " + hex(transaction);
        return line;
    }
    std::string operator()(const Reorganised& o) const {
        return fmt::format("reorg {} {} {}", micros(o.at), o.depth, hex(o.head));
    }
};

// Parses a line one token at a time. A token that does not parse makes the whole line invalid.
class LineParser {
public:
    explicit LineParser(std::string_view line) : rest_(line) {}

    std::string_view next_token() {
        const auto end = rest_.find(' ');
        const auto next_token = rest_.substr(0, end);
        rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
        return next_token;
    }
    template <typename Number>
    Number number() {
        Number value{};
        const auto text = next_token();
        const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
        if (error != std::errc{} || end != text.end()) valid_ = false;
        return value;
    }
    UnixTime time() { return UnixTime(std::chrono::microseconds(number<std::int64_t>())); }
    Bytes bytes() {
        auto bytes = from_hex(next_token());
        if (!bytes || bytes->empty()) valid_ = false;
        return std::move(bytes).value_or(Bytes{});
    }
    template <typename Hash>
    Hash hash() {
        const auto hash = Hash::from(bytes());
        if (!hash) valid_ = false;
        return hash.value_or(Hash{});
    }
    Uint256 amount() {
        const auto value = Uint256::parse(next_token());
        if (!value) valid_ = false;
        return value.value_or(Uint256{});
    }
    Address address() {
        const auto address = Address::parse(next_token());
        if (!address) valid_ = false;
        return address.value_or(Address{});
    }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    [[nodiscard]] bool is_valid() const { return valid_ && at_end(); }

private:
    std::string_view rest_;
    bool valid_ = true;
};

std::optional<Operation> read(std::string_view kind, LineParser& parser) {
    if (kind == "fund") {
        const auto account = parser.address();
        return Funded{account, parser.amount()};
    }
    if (kind == "receive") return Received{parser.bytes()};
    if (kind == "evict") return Evicted{parser.hash<TxHash>()};
    if (kind == "mine") {
        Mined mined{.at = parser.time(), .hash = parser.hash<BlockHash>(), .transactions = {}};
        while (!parser.at_end())
            mined.transactions.push_back(parser.hash<TxHash>());
        return mined;
    }
    if (kind == "reorg") {
        const auto at = parser.time();
        const auto depth = parser.number<std::uint64_t>();
        return Reorganised{at, depth, parser.hash<BlockHash>()};
    }
    return std::nullopt;
}

}  // namespace

std::string to_line(const Genesis& genesis) {
    return fmt::format("{} {} chain {} {}", format_name, format_version, genesis.chain_id, micros(genesis.at));
}

std::string to_line(const Operation& operation) { return std::visit(Writer{}, operation); }

Result<Genesis, ParseError> parse_genesis(std::string_view line) {
    LineParser parser(line);
    if (parser.next_token() != format_name) return err(ParseError{"not a file of a development chain"});
    if (parser.number<std::uint64_t>() != format_version || parser.next_token() != "chain") {
        return err(ParseError{"written by another version of this program"});
    }
    Genesis genesis{.chain_id = parser.number<std::uint64_t>(), .at = parser.time()};
    if (!parser.is_valid()) return err(ParseError{"the first line is damaged"});
    return genesis;
}

Result<Operation, ParseError> parse_operation(std::string_view line) {
    LineParser parser(line);
    auto operation = read(parser.next_token(), parser);
    if (!operation || !parser.is_valid()) return err(ParseError{"the line is damaged"});
    return *std::move(operation);
}

}  // namespace fencepost::devchain

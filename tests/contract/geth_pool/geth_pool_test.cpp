// Compares the simulated pool with traces of a real geth recorded by record.mjs: each answer, each pending count, and
// the content of each part of the pool after every step. geth reorganises its pool in the background; the recorder
// waited for that after each step, so here it runs immediately.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/crypto/keccak.hpp"
#include "sim/mempool/local_tracker.hpp"
#include "sim/mempool/sim_mempool.hpp"

namespace fencepost::sim {
namespace {

namespace json = boost::json;
using TraceObject = json::object;

std::filesystem::path trace_folder() {
    return std::filesystem::path(FENCEPOST_SOURCE_DIR) / "tests/contract/geth_pool/traces";
}

std::vector<std::string> trace_names() {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(trace_folder()))
        names.push_back(file.path().stem().string());
    std::ranges::sort(names);
    return names;
}

TraceObject read_trace(const std::string& name) {
    std::ifstream file(trace_folder() / (name + ".json"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return json::parse(text).as_object();
}

std::uint64_t number_at(const TraceObject& object, std::string_view key, std::uint64_t otherwise = 0) {
    const auto* value = object.if_contains(key);
    return value == nullptr ? otherwise : value->to_number<std::uint64_t>();
}

std::string text_at(const TraceObject& object, std::string_view key, std::string_view otherwise = "") {
    const auto* value = object.if_contains(key);
    return std::string(value == nullptr ? otherwise : std::string_view(value->as_string()));
}

Uint256 amount_at(const TraceObject& object, std::string_view key) {
    return Uint256::parse(text_at(object, key, "0")).value();
}

Address address_of_account(std::uint64_t account) {
    Address address;
    address.data.fill(static_cast<std::uint8_t>(account + 1));
    return address;
}

/// Built from the facts that decide, and as long as the real one. Equal facts have equal hashes.
SimTxPtr transaction_of(const TraceObject& wish, std::uint64_t bytes) {
    auto result = std::make_shared<SimTx>();
    result->hash = {keccak256(as_bytes(json::serialize(wish)))};
    result->sender = address_of_account(number_at(wish, "from"));
    result->nonce = Nonce(number_at(wish, "nonce"));
    result->to = address_of_account(200);
    result->value = Wei(amount_at(wish, "value"));
    result->data = Bytes(number_at(wish, "zeros"), 0);
    result->gas_limit = Gas(number_at(wish, "gas", 21'000));
    result->fees =
        DynamicFee{.max_fee = Wei(number_at(wish, "max_fee")), .max_priority_fee = Wei(number_at(wish, "tip"))};
    result->raw = Bytes(bytes, 0);
    if (const auto* authorities = wish.if_contains("authorizations")) {
        for (const auto& account : authorities->as_array())
            result->authorizations.push_back({.authority = address_of_account(account.to_number<std::uint64_t>())});
    }
    return result;
}

MempoolOptions options_of(const TraceObject& trace) {
    const auto& wanted = trace.at("pool").as_object();
    MempoolOptions options;
    options.account_slots = number_at(wanted, "account_slots", options.account_slots);
    options.global_slots = number_at(wanted, "global_slots", options.global_slots);
    options.account_queue = number_at(wanted, "account_queue", options.account_queue);
    options.global_queue = number_at(wanted, "global_queue", options.global_queue);
    return options;
}

/// In record.mjs's notation: "0-2@10/1" for nonces 0 to 2 with a maximum of 10 wei and a tip of 1 wei.
std::string describe_part(const std::vector<SimTxPtr>& transactions) {
    std::vector<std::string> runs;
    for (std::size_t i = 0; i < transactions.size();) {
        std::size_t last = i;
        while (last + 1 < transactions.size() && transactions[last + 1]->fees == transactions[i]->fees &&
               transactions[last + 1]->nonce == transactions[last]->nonce.next())
            ++last;
        const auto range = last == i ? fmt::format("{}", transactions[i]->nonce)
                                     : fmt::format("{}-{}", transactions[i]->nonce, transactions[last]->nonce);
        runs.push_back(
            fmt::format("{}@{}/{}", range, max_fee(transactions[i]->fees), max_priority_fee(transactions[i]->fees)));
        i = last + 1;
    }
    return runs.empty() ? "-" : fmt::format("{}", fmt::join(runs, " "));
}

class Replay {
public:
    explicit Replay(const TraceObject& trace)
        : remembers_locals_(trace.at("locals").as_bool()),
          pool_(options_of(trace)) {
        take_head(trace.at("head").as_object());
        for (const auto& [account, facts] : trace.at("head").as_object().at("accounts").as_object())
            expected_[std::stoull(std::string(account))] = "0, pending -, queued -";
    }

    /// One line per difference from geth.
    std::vector<std::string> play(const TraceObject& step) {
        std::vector<std::string> differences;
        if (const auto* wish = step.if_contains("send")) {
            const auto answer = send(transaction_of(wish->as_object(), number_at(step, "bytes")));
            if (answer != text_at(step, "answer")) differences.push_back("answer: " + answer);
        } else if (step.contains("block")) {
            note_mined(step.at("head").as_object());
            take_head(step.at("head").as_object());
            pool_.sync(head());
        } else if (step.contains("reorg")) {
            take_head(step.at("head").as_object());
            pool_.sync(head());
            reinject();
        } else if (step.contains("recheck")) {
            for (const auto& transaction : locals_.recheck(pool_, state_))
                std::ignore = pool_.add(transaction, head());
            pool_.promote(head());
        }
        for (const auto& [account, is] : step.at("pool").as_object())
            expected_[std::stoull(std::string(account))] = is.as_string();
        for (const auto& [account, expected] : expected_) {
            if (const auto is = describe(account); is != expected)
                differences.push_back(fmt::format("account {}: {}, not {}", account, is, expected));
        }
        return differences;
    }

private:
    [[nodiscard]] PoolHead head() const {
        return {.state = state_, .gas_limit = gas_limit_, .next_base_fee = next_base_fee_};
    }

    void take_head(const TraceObject& facts) {
        gas_limit_ = Gas(number_at(facts, "gas_limit"));
        next_base_fee_ = Uint256(number_at(facts, "next_base_fee"));
        for (const auto& [account, is] : facts.at("accounts").as_object()) {
            auto& known = state_.edit(address_of_account(std::stoull(std::string(account))));
            known = {.balance = amount_at(is.as_object(), "balance"),
                     .nonce = Nonce(number_at(is.as_object(), "nonce")),
                     .is_delegated = is.as_object().at("delegated").as_bool()};
        }
    }

    void note_mined(const TraceObject& facts) {
        for (const auto& [account, is] : facts.at("accounts").as_object()) {
            const auto address = address_of_account(std::stoull(std::string(account)));
            const Nonce to(number_at(is.as_object(), "nonce"));
            for (auto nonce = state_.account(address).nonce; nonce < to; nonce = nonce.next())
                mined_.push_back(pool_.at(address, nonce));
        }
    }

    void reinject() {
        for (const auto& transaction : mined_) {
            if (transaction->nonce >= state_.account(transaction->sender).nonce)
                std::ignore = pool_.add(transaction, head());
        }
        pool_.promote(head());
    }

    std::string send(const SimTxPtr& transaction) {
        const auto verdict = pool_.add(transaction, head());
        pool_.promote(head());
        const bool is_success = verdict.outcome == SendOutcome::accepted;
        if (remembers_locals_ && (is_success || verdict.is_temporary)) {
            locals_.track(transaction);
            return "success";
        }
        return is_success ? "success" : verdict.message;
    }

    [[nodiscard]] std::string describe(std::uint64_t account) const {
        const auto address = address_of_account(account);
        const auto of_him = [&address](std::vector<SimTxPtr> all) {
            std::erase_if(all, [&address](const auto& transaction) { return transaction->sender != address; });
            return all;
        };
        const auto pending = of_him(pool_.pending());
        auto queued = of_him(pool_.contents());
        std::erase_if(queued,
                      [&pending](const auto& held) { return std::ranges::find(pending, held) != pending.end(); });
        return fmt::format("{}, pending {}, queued {}", pool_.next_nonce(address, state_), describe_part(pending),
                           describe_part(queued));
    }

    bool remembers_locals_;
    SimState state_;
    Gas gas_limit_;
    Uint256 next_base_fee_;
    SimMempool pool_;
    LocalTracker locals_;
    std::vector<SimTxPtr> mined_;
    std::map<std::uint64_t, std::string> expected_;
};

struct GethPool : ::testing::TestWithParam<std::string> {};

TEST_P(GethPool, MatchesGethAnswersAndPoolContent) {
    const auto trace = read_trace(GetParam());
    Replay replay(trace);
    const auto& steps = trace.at("steps").as_array();
    ASSERT_GE(steps.size(), 10U);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto differences = replay.play(steps[i].as_object());
        ASSERT_TRUE(differences.empty()) << "step " << i << ": " << json::serialize(steps[i]) << "\n"
                                         << fmt::format("{}", fmt::join(differences, "\n"));
    }
}

INSTANTIATE_TEST_SUITE_P(Each, GethPool, ::testing::ValuesIn(trace_names()),
                         [](const auto& info) { return info.param; });

TEST(GethPoolTraces, AreThere) { EXPECT_GE(trace_names().size(), 9U); }

}  // namespace
}  // namespace fencepost::sim

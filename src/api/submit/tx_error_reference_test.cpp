// docs/reference/errors.md and openapi.json name each code of a transaction's error, and no other.
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/submit/tx_error.hpp"
#include "domain/window/send_outcome.hpp"

namespace fencepost::api {
namespace {

using Codes = std::set<std::string>;

std::string read_reference(const std::string& name) {
    std::ifstream file(FENCEPOST_SOURCE_DIR "/docs/reference/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

Codes codes_in(const std::string& page) {
    static const std::regex row(R"(\n\| `([A-Z_]+)` \| [^|]+ \| [^|]+ \| [^|]+ \|)");
    Codes codes;
    for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it)
        codes.insert((*it)[1]);
    return codes;
}

void add_code_of(const TxView& tx, Codes& codes) {
    if (const auto error = error_of(tx)) codes.emplace(error->code);
}

// Every code that some transaction has: all refusals, and all combinations of what the code is chosen from.
Codes codes_of_the_code() {
    Codes codes;
    TxView tx{.submitter = SubmitterId::evm(1, {})};
    tx.position.state = State::rejected;
    for (const auto& [refusal, name] : enum_names<fencepost::Refusal>) {
        tx.error = fmt::format("{}: why", name);
        add_code_of(tx, codes);
    }
    tx.error = "why";
    for (const auto& [state, state_name] : enum_names<State>) {
        for (const auto& [sub, sub_name] : enum_names<SubState>) {
            tx.position = {state, sub};
            for (const auto& [abandonment, abandonment_name] : enum_names<Abandonment>) {
                tx.abandonment = abandonment;
                tx.receipt.reset();
                add_code_of(tx, codes);
                tx.receipt = Receipt{.succeeded = false};
                add_code_of(tx, codes);
            }
        }
    }
    return codes;
}

TEST(TxErrorReference, HasARowForEachCodeAndNoOther) {
    EXPECT_EQ(codes_in(read_reference("errors.md")), codes_of_the_code()) << "docs/reference/errors.md is stale";
}

TEST(TxErrorReference, OpenApiNamesEachCodeAndNoOther) {
    const auto document = boost::json::parse(read_reference("openapi.json"));
    Codes named;
    for (const auto& code : document.at_pointer("/components/schemas/TransactionError/properties/code/enum").as_array())
        named.emplace(code.as_string());
    EXPECT_EQ(named, codes_of_the_code());
}

TEST(TxErrorReference, ReadsOnlyRowsThatSayWhatToDo) {
    EXPECT_EQ(codes_in("\n| `REVERT` | `REJECTED` | reverts | correct it |\n| `NO_HELP` | what |\n"), Codes{"REVERT"});
}

}  // namespace
}  // namespace fencepost::api

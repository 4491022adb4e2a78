#include "devchain/rpc_dispatcher.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/text/printable.hpp"
#include "devchain/rpc_methods.hpp"

namespace fencepost::devchain {
namespace {

namespace json = boost::json;

constexpr std::size_t max_json_depth = 32;
constexpr std::size_t max_batch = 1'000;  // geth's
constexpr std::size_t max_method_name = 100;

RpcMethods all_methods() {
    RpcMethods all;
    for (auto methods : {account_methods(), block_methods(), control_methods(), fee_methods(), transaction_methods()})
        all.merge(methods);
    return all;
}

json::object envelope(const Json& id) { return {{"jsonrpc", "2.0"}, {"id", id}}; }

json::object failed(const Json& id, const RpcFailure& failure) {
    auto result = envelope(id);
    json::object error{{"code", static_cast<std::int64_t>(failure.code)}, {"message", failure.message}};
    if (!failure.data.is_null()) error["data"] = failure.data;
    result["error"] = std::move(error);
    return result;
}

bool is_id(const Json& id) { return id.is_string() || id.is_number() || id.is_null(); }

}  // namespace

struct RpcDispatcher::Impl {
    RpcWorld world;
    RpcMethods methods = all_methods();

    RpcAnswer run(const std::string& method, const Json& params) {
        const auto found = methods.find(method);
        if (found == methods.end()) {
            return err(
                RpcFailure{RpcCode::method_not_found, fmt::format("the method {} does not exist/is not available",
                                                                  printable(as_bytes(method), max_method_name))});
        }
        static const json::array none;
        if (params.is_null()) return found->second(world, Params(none));
        if (!params.is_array()) return invalid_params("non-array args");
        return found->second(world, Params(params.get_array()));
    }

    /// None for a notification.
    std::optional<json::object> answer_one(const Json& request) {
        const auto& method = evm::field_of(request, "method");
        const auto& id = evm::field_of(request, "id");
        if (!method.is_string() || !is_id(id)) {
            return failed(nullptr, {RpcCode::invalid_request, "invalid request"});
        }
        const auto answer = run(std::string(method.get_string()), evm::field_of(request, "params"));
        if (!request.get_object().contains("id")) return std::nullopt;
        if (!answer) return failed(id, answer.error());
        auto result = envelope(id);
        result["result"] = *answer;
        return result;
    }

    std::string answer_batch(const json::array& requests) {
        if (requests.empty()) return json::serialize(failed(nullptr, {RpcCode::invalid_request, "empty batch"}));
        if (requests.size() > max_batch) {
            return json::serialize(failed(nullptr, {RpcCode::invalid_request, "batch too large"}));
        }
        json::array answers;
        for (const auto& request : requests) {
            if (auto answer = answer_one(request)) answers.emplace_back(*std::move(answer));
        }
        return answers.empty() ? std::string{} : json::serialize(answers);
    }
};

RpcDispatcher::RpcDispatcher(DevLedger& ledger, Clock& clock, bool automine)
    : impl_(std::make_unique<Impl>(RpcWorld{ledger, clock, automine})) {}
RpcDispatcher::~RpcDispatcher() = default;

std::string RpcDispatcher::answer(std::string_view text) {
    json::parse_options options;
    options.max_depth = max_json_depth;
    boost::system::error_code error;
    const auto request = json::parse(text, error, {}, options);
    if (error) return json::serialize(failed(nullptr, {RpcCode::parse_error, "parse error"}));
    if (const auto* batch = request.if_array()) return impl_->answer_batch(*batch);
    const auto answer = impl_->answer_one(request);
    return answer ? json::serialize(*answer) : std::string{};
}

}  // namespace fencepost::devchain

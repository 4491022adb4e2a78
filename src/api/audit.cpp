#include "api/audit.hpp"

#include "base/text/printable.hpp"

namespace fencepost::api {
namespace {

constexpr std::size_t longest_reason = 400;

}  // namespace

void audit(Log& log, const Caller& caller, std::string_view act, const Command& command, std::string_view outcome) {
    log.write_audit("Audit: command requested through the API",
                    {{"by", caller.name},
                     {"act", std::string(act)},
                     {"submitter", command.submitter.to_string()},
                     {"tx", command.tx ? command.tx->value().to_string() : ""},
                     {"why", printable(as_bytes(command.reason), longest_reason)},
                     {"outcome", std::string(outcome)}});
}

}  // namespace fencepost::api

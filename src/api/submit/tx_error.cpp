#include "api/submit/tx_error.hpp"

#include "domain/window/send_outcome.hpp"

namespace fencepost::api {
namespace {

std::string_view why_failed(const TxView& tx) {
    if (tx.position.sub == SubState::nonce_taken) return "NONCE_TAKEN";
    if (tx.receipt && !tx.receipt->succeeded) return "REVERT";
    switch (tx.abandonment) {
        case Abandonment::refused:
            return "REFUSED";
        case Abandonment::timed_out:
            return "TIMED_OUT";
        case Abandonment::cancelled:
        case Abandonment::revoked:
        case Abandonment::none:
            return "FAILED";
    }
    FP_UNREACHABLE();
}

std::string_view why_not_yet(const TxView& tx) {
    switch (tx.position.sub) {
        case SubState::timeout:
            return "TIMED_OUT";
        case SubState::fee_capped:
            return "FEE_CAPPED";
        case SubState::underfunded:
            return "UNDERFUNDED";
        case SubState::nonce_taken:
            return "NONCE_TAKEN";
        case SubState::none:
        case SubState::mined:
        case SubState::stale:
        case SubState::forked:
        case SubState::cancelling:
            return "NOT_SENT";
    }
    FP_UNREACHABLE();
}

std::string_view code_of(const TxView& tx) {
    switch (tx.position.state) {
        case State::failed_final:
            return why_failed(tx);
        case State::cancelled:
            return "CANCELLED";
        case State::rejected:
            return "REJECTED";
        case State::unknown_submit_result:
            return "UNKNOWN_SUBMIT_RESULT";
        case State::queued:
        case State::allocated:
        case State::tracking:
        case State::stuck:
        case State::confirmed:
            return why_not_yet(tx);
    }
    FP_UNREACHABLE();
}

// The format that the lane writes: "REVERT: out of stock".
std::optional<TxError> refusal_in(const std::string& text) {
    const auto colon = text.find(": ");
    if (colon == std::string::npos) return std::nullopt;
    const auto refusal = value_of<fencepost::Refusal>(std::string_view(text).substr(0, colon));
    if (!refusal) return std::nullopt;
    return TxError{name_of(*refusal), text.substr(colon + 2)};
}

}  // namespace

std::optional<TxError> error_of(const TxView& tx) {
    if (tx.position.state == State::confirmed) return std::nullopt;
    if (tx.error.empty() && !is_final(tx.position.state)) return std::nullopt;
    if (auto refusal = refusal_in(tx.error)) return refusal;
    return TxError{code_of(tx), tx.error};
}

}  // namespace fencepost::api

#include "cli/waiting.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/refusal.hpp"
#include "cli/tx_view.hpp"
#include "config/keys/values.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost::cli {
namespace {

using namespace std::chrono_literals;

// On a terminal changes are shown as they happen; default_decision fewer requests spare the server.
constexpr Duration long_poll_on_terminal = 2s;
constexpr Duration long_poll_in_scripts = 30s;
constexpr Duration min_long_poll = 1s;
// Minimum time between two requests, whatever the server does.
constexpr Duration min_request_interval = 500ms;

bool is_mined(const json::value& transaction) { return text_at(transaction, "/subState") == name_of(SubState::mined); }

/// Prints a line to stderr for each change, and updates the number of confirmations in place.
class ProgressPrinter {
public:
    explicit ProgressPrinter(const Screen& screen) : screen_(screen) {}

    void show(const json::value& transaction) {
        if (!screen_.live) return;
        const auto state = state_text(transaction);
        if (state != last_) {
            fmt::print(stderr, "\r\x1b[K{}  {}\n", text_at(transaction, "/updatedAt"),
                       screen_.paint(style_of(state), state));
            last_ = state;
        }
        const auto count = text_at(transaction, "/confirmations");
        if (find(transaction, "/blockNumber") != nullptr) note(fmt::format("confirmations: {}", count));
    }
    void note(std::string_view what) const {
        if (screen_.live) fmt::print(stderr, "\r\x1b[K{}", what);
    }

private:
    const Screen& screen_;
    std::string last_;
};

class Waiting {
public:
    Waiting(Session& session, const WaitFor& wait)
        : session_(session),
          wait_(wait),
          deadline_(session.client().now() + wait.timeout),
          progress_(session.screen()) {}

    ExitCode run() {
        for (;;) {
            const auto begun = session_.client().now();
            if (const auto code = ask_once()) return *code;
            if (session_.client().now() >= deadline_) return report_timeout();
            const auto next = std::min(deadline_, begun + pause_);
            if (const auto now = session_.client().now(); now < next) session_.client().sleep(next - now);
        }
    }

private:
    /// The exit code when the wait is over.
    std::optional<ExitCode> ask_once() {
        const auto usual = session_.screen().live ? long_poll_on_terminal : long_poll_in_scripts;
        const auto slice = std::chrono::ceil<std::chrono::seconds>(std::clamp(left(), min_long_poll, usual));
        // Do not wait for "mined" again when the transaction is mined but that is not enough.
        const auto until = last_ && is_mined(last_->value) ? Until::confirmed : wait_.until;
        auto answer = session_.client().call(
            {.path = {"tx", wait_.id},
             .query = {{"wait", fmt::format("{}s", slice.count())}, {"until", std::string(name_of(until))}},
             .server_wait = slice});
        pause_ = min_request_interval;
        const bool is_temporary = answer ? is_retryable(*answer) : last_.has_value();
        if (is_temporary && (!answer || !answer->is_success())) {
            pause_ = answer && answer->retry_after ? *answer->retry_after : min_long_poll;
            progress_.note(answer ? "the server is busy" : "the server cannot be reached");
            last_failure_ = std::move(answer);
            return std::nullopt;
        }
        auto document = session_.judge(std::move(answer));
        if (!document) return document.error();
        last_failure_.reset();
        last_ = *std::move(document);
        return judge_last();
    }

    std::optional<ExitCode> judge_last() {
        progress_.show(last_->value);
        const auto progress = progress_of(last_->value, wait_.until);
        if (progress == Progress::under_way) return std::nullopt;
        progress_.note("");
        session_.show(*last_, show_transaction);
        return progress == Progress::reached ? exit_ok : exit_not_confirmed;
    }

    ExitCode report_timeout() {
        progress_.note("");
        if (last_failure_) return session_.judge(*std::move(last_failure_)).error();
        session_.show(*last_, show_transaction);
        std::fflush(stdout);
        fmt::print(stderr,
                   "fencepost: the transaction was not {} within {}. It continues; to wait again, run "
                   "fencepost tx wait {}.\n",
                   wait_.until, config::show_duration(wait_.timeout), wait_.id);
        return exit_timed_out;
    }

    [[nodiscard]] Duration left() { return deadline_ - session_.client().now(); }

    Session& session_;
    const WaitFor& wait_;
    Instant deadline_;
    ProgressPrinter progress_;
    Duration pause_{};
    std::optional<Document> last_;
    std::optional<Result<ApiAnswer, jsonrpc::Failure>> last_failure_;  // the last error, if the last request failed
};

}  // namespace

// An abandoned transaction may still be mined, or the no-op transaction in its place; only the verdict says which.
Progress progress_of(const json::value& transaction, Until until) {
    const auto state = value_of<State>(text_at(transaction, "/state"));
    if (!state) return Progress::under_way;  // a state of a newer server; wait for a known one
    if (is_final(*state)) return *state == State::confirmed ? Progress::reached : Progress::went_wrong;
    const bool is_given_up = is_true_at(transaction, "/cancelling") || find(transaction, "/error") != nullptr;
    if (until == Until::confirmed || !is_mined(transaction)) return Progress::under_way;
    if (!bool_at(transaction, "/receipt/succeeded").value_or(true)) return Progress::went_wrong;
    return is_given_up ? Progress::under_way : Progress::reached;
}

ExitCode wait_and_show(Session& session, const WaitFor& wait) { return Waiting(session, wait).run(); }

}  // namespace fencepost::cli

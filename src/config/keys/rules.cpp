#include "config/keys/rules.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "config/keys/values.hpp"

namespace fencepost::config {
namespace {

class Rules {
public:
    Rules(const Config& config, const Settings& settings, Problems& problems)
        : config_(config),
          settings_(settings),
          problems_(problems) {}

    void check() {
        check_lease();
        check_database();
        check_service();
        check_lane("", config_.lane, config_.chain);
        for (const auto& chain : config_.chains)
            check_lane(fmt::format("chains.{}.", chain.name), chain.lane, chain.settings);
        for (const auto& submitter : config_.submitters) {
            if (const auto* chain = config_.find(submitter.id.chain())) {
                check_lane(fmt::format("submitters.{}.", submitter.name), submitter.lane, chain->settings);
            }
        }
    }

private:
    [[nodiscard]] const Setting* setting_of(const std::string& path) const {
        const auto found = std::ranges::find(settings_, path, &Setting::path);
        return found == settings_.end() ? nullptr : &*found;
    }

    /// Reports the problem at the place of one of the keys; the first key is the subject.
    void refuse(std::string_view before, std::initializer_list<std::string_view> keys, std::string_view what) {
        const auto sentence = fmt::format("{}{} {}", before, *keys.begin(), what);
        for (const auto key : keys) {
            if (const auto* setting = setting_of(std::string(before) + std::string(key))) {
                problems_.push_back(problem_at(setting->place, sentence));
                return;
            }
        }
        // A value that a chain or submitter inherits is reported at the global level only.
        if (before.empty()) problems_.push_back({.where = {}, .what = sentence});
    }

    void check_lease() {
        const auto& host = config_.host;
        if (host.renew_every * 2 >= host.lease) {
            refuse("", {"lease.renewInterval", "lease.duration"},
                   fmt::format("({}) must be less than half of lease.duration ({})", show_duration(host.renew_every),
                               show_duration(host.lease)));
        }
        if (host.clock_skew_allowance + host.renew_every >= host.lease) {
            refuse("", {"lease.clockSkewAllowance", "lease.renewInterval", "lease.duration"},
                   fmt::format("({}) and lease.renewInterval ({}) together must be less than lease.duration ({})",
                               show_duration(host.clock_skew_allowance), show_duration(host.renew_every),
                               show_duration(host.lease)));
        }
        const auto& ability = config_.cluster.ability;
        if (ability.initial_back_off > ability.max_back_off) {
            refuse("", {"ability.firstBackOff", "ability.longestBackOff"},
                   "must not be longer than ability.longestBackOff");
        }
    }

    void check_database() {
        const auto& connection = config_.database.postgres.connection;
        if (connection.answer_timeout >= config_.host.lease) {
            refuse("", {"database.answerTimeout", "lease.duration"},
                   fmt::format("({}) must be less than lease.duration ({}): a hanging connection must time out before "
                               "the lease expires",
                               show_duration(connection.answer_timeout), show_duration(config_.host.lease)));
        }
        if (connection.statement_timeout > connection.answer_timeout) {
            refuse("", {"database.statementTimeout", "database.answerTimeout"},
                   "must not be longer than database.answerTimeout");
        }
        if (connection.lock_timeout > connection.statement_timeout) {
            refuse("", {"database.lockTimeout", "database.statementTimeout"},
                   "must not be longer than database.statementTimeout");
        }
    }

    void check_service() {
        const auto& registry = config_.cluster.registry;
        if (registry.live_within <= 2 * registry.heartbeat_every) {
            refuse("", {"cluster.liveWithin", "cluster.heartbeatInterval"},
                   "must be longer than twice cluster.heartbeatInterval");
        }
        const auto& stuck = config_.stuck;
        if (stuck.hook_url.has_value() == stuck.hook_secret_file.empty()) {
            refuse("", {"stuck.hook.url", "stuck.hook.secretFile"}, "and stuck.hook.secretFile must be set together");
        }
        const auto& tls = config_.tls;
        if (tls.certificate.empty() != tls.key.empty()) {
            refuse("", {"http.tls.certificateFile", "http.tls.keyFile"}, "and http.tls.keyFile must be set together");
        }
        if (!tls.client_authorities.empty() && tls.certificate.empty()) {
            refuse("", {"http.tls.clientCaFile"}, "needs http.tls.certificateFile");
        }
    }

    void check_lane(std::string_view before, const LaneSettings& lane, const ChainSettings& chain) {
        const auto least = Uint256::checked_scale_up(lane.fee_cap.value(), 9, 8);
        if (!least || lane.filler_fee_cap.value() <= *least) {
            refuse(before, {"fees.fillerCap", "fees.cap"},
                   fmt::format("({}) must exceed fees.cap ({}) by more than an eighth: nodes reject a smaller "
                               "increase, so a transaction sent at the cap could not be cancelled",
                               show_amount(lane.filler_fee_cap), show_amount(lane.fee_cap)));
        }
        if (lane.mode == lane::NonceMode::relaxed && lane.start_from) {
            refuse(before, {"nonce.startFrom", "nonce.strict.enabled"},
                   "is for keys that only Fencepost uses: nonce.strict.enabled must be true");
        }
        if (lane.full_scan_interval < lane.poll_interval) {
            refuse(before, {"queue.fullLookInterval", "queue.lookInterval"},
                   "must not be shorter than queue.lookInterval");
        }
        const auto kept = chain.evm.follower.max_window;
        if (lane.finality == lane::FinalityRule::depth && lane.confirmations_required >= kept) {
            refuse(before, {"confirmations.required", "confirmations.blockQueueLength", "confirmations.finality"},
                   fmt::format("({}) must be less than confirmations.blockQueueLength ({}): blocks that are not kept "
                               "cannot be counted",
                               lane.confirmations_required, kept));
        }
    }

    const Config& config_;
    const Settings& settings_;
    Problems& problems_;
};

}  // namespace

void check_rules(const Config& config, const Settings& settings, Problems& problems) {
    Rules(config, settings, problems).check();
}

}  // namespace fencepost::config

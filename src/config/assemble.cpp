#include "config/assemble.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "config/apply.hpp"
#include "config/keys/signer_rules.hpp"
#include "config/sources/path.hpp"
#include "config/sources/unknown_key.hpp"

namespace fencepost::config {
namespace {

struct Item {
    Location at;
    const Setting* setting = nullptr;
};
using ItemList = std::vector<Item>;

/// The settings of a chain, a submitter, a signer or an endpoint.
struct Entry {
    std::string name;
    ItemList items{};
    std::vector<Entry> endpoints{};
};

Entry& entry_in(std::vector<Entry>& entries, const std::string& name) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    if (found != entries.end()) return *found;
    return entries.emplace_back(Entry{.name = name});
}

class Assembler {
public:
    explicit Assembler(Problems& problems) : problems_(problems) {}

    Config run(const Settings& settings) {
        for (const auto& setting : settings)
            group_by_entry(setting);
        add_top();
        for (const auto& entry : chains_)
            add_chain(entry);
        for (const auto& entry : submitters_)
            add_submitter(entry);
        for (const auto& entry : signers_)
            add_signer(entry);
        return std::move(config_);
    }

private:
    void group_by_entry(const Setting& setting) {
        auto at = locate(setting.path);
        const bool is_named = at.scope == Scope::top ||
                              (is_entry_name(at.entry) && (at.scope != Scope::endpoint || is_entry_name(at.endpoint)));
        if (!is_named) {
            problems_.push_back(problem_with(
                setting, fmt::format("{} need names of lower-case letters, digits and dashes", map_of(at.scope))));
            return;
        }
        switch (at.scope) {
            case Scope::top:
                top_.push_back({std::move(at), &setting});
                return;
            case Scope::chain:
                entry_in(chains_, at.entry).items.push_back({at, &setting});
                return;
            case Scope::endpoint:
                entry_in(entry_in(chains_, at.entry).endpoints, at.endpoint).items.push_back({at, &setting});
                return;
            case Scope::submitter:
                entry_in(submitters_, at.entry).items.push_back({at, &setting});
                return;
            case Scope::signer:
                entry_in(signers_, at.entry).items.push_back({at, &setting});
                return;
        }
    }

    /// Applies each item to the target that has its key; reports an item that no target has as unknown.
    template <typename... Targets>
    void put(const ItemList& items, Targets... targets) {
        for (const auto& [at, setting] : items) {
            const bool taken = (apply(*targets.first, *targets.second, at.key, *setting, problems_) || ...);
            if (!taken) problems_.push_back(unknown_key(*setting, at));
        }
    }
    template <typename Owner>
    static std::pair<const Keys<Owner>*, Owner*> target(const Keys<Owner>& keys, Owner& owner) {
        return {&keys, &owner};
    }

    /// Copies a key that sets two members.
    static void finish(LaneSettings& lane) { lane.relaxed.reconcile_interval = lane.reconcile_interval; }
    static void finish(ChainSettings& chain) { chain.evm.pool.endpoint.in_flight.most = chain.rpc.max_in_flight; }

    void add_top() {
        put(top_, target(service_keys(), config_), target(chain_keys(), config_.chain),
            target(lane_keys(), config_.lane));
        finish(config_.chain);
        finish(config_.lane);
        const auto& name = config_.database.name;
        if (name.kind == DatabaseName::Kind::postgres) config_.database.postgres.connection.url = name.place;
    }

    void report_problem(const Entry& entry, Scope scope, std::string_view what) {
        const auto path = fmt::format("{}.{}", map_of(scope), entry.name);
        if (entry.items.empty()) {
            problems_.push_back({.where = {}, .what = fmt::format("{}: {}", path, what)});
        } else {
            problems_.push_back(problem_at(entry.items.front().setting->place, fmt::format("{}: {}", path, what)));
        }
    }

    void add_chain(const Entry& entry) {
        ChainIdentity identity;
        auto settings = config_.chain;
        auto lane = config_.lane;
        const auto before = problems_.size();
        put(entry.items, target(chain_identity_keys(), identity), target(chain_keys(), settings),
            target(lane_keys(), lane));
        finish(settings);
        finish(lane);
        settings.evm.genesis = identity.genesis;
        settings.evm.follower.chain = entry.name;
        auto endpoints = endpoints_of(entry, identity, settings);
        if (problems_.size() == before) refuse_incomplete(entry, identity, endpoints);
        chains_complete_ = chains_complete_ && problems_.size() == before;
        if (!identity.id) return;
        config_.chains.push_back({.name = entry.name,
                                  .ref = ChainRef::evm(*identity.id),
                                  .settings = std::move(settings),
                                  .lane = lane,
                                  .endpoints = std::move(endpoints),
                                  .connector = std::move(identity.connector)});
    }

    void refuse_incomplete(const Entry& entry, const ChainIdentity& identity, const std::vector<Endpoint>& endpoints) {
        if (!identity.id) {
            report_problem(entry, Scope::chain, "has no id");
        } else if (const auto* other = config_.find(ChainRef::evm(*identity.id))) {
            report_problem(entry, Scope::chain, fmt::format("has the same id as chains.{}", other->name));
        }
        if (identity.connector.url.has_value() == identity.connector.accounts.empty())
            report_problem(entry, Scope::chain, "connector.url and connector.accounts must be set together");
        if (endpoints.empty()) report_problem(entry, Scope::chain, "has no endpoint: set rpc.url or endpoints");
    }

    std::vector<Endpoint> endpoints_of(const Entry& chain, const ChainIdentity& identity,
                                       const ChainSettings& settings) {
        std::vector<Endpoint> endpoints;
        const auto add = [&](const std::string& name, const EndpointIdentity& own) {
            auto rpc = settings.rpc;
            rpc.url = *own.url;
            rpc.headers = own.headers;
            rpc.ca_file = own.ca_file;
            endpoints.push_back({.name = name, .rpc = std::move(rpc), .web_socket = own.web_socket});
        };
        if (identity.url) add("rpc", {.url = identity.url});
        for (const auto& entry : chain.endpoints) {
            EndpointIdentity own;
            const auto before = problems_.size();
            put(entry.items, target(endpoint_keys(), own));
            if (own.url) {
                add(entry.name, own);
            } else if (problems_.size() == before) {
                problems_.push_back(
                    problem_at(entry.items.front().setting->place,
                               fmt::format("chains.{}.endpoints.{}: has no url", chain.name, entry.name)));
            }
        }
        return endpoints;
    }

    void add_submitter(const Entry& entry) {
        SubmitterIdentity identity;
        const auto before = problems_.size();
        // The chain decides the defaults of the lane. Errors are reported below.
        Problems ignored_problems;
        for (const auto& [at, setting] : entry.items)
            apply(submitter_identity_keys(), identity, at.key, *setting, ignored_problems);
        const auto* chain = identity.account ? config_.find(identity.account->chain()) : nullptr;
        auto lane = chain != nullptr ? chain->lane : config_.lane;
        put(entry.items, target(submitter_identity_keys(), identity), target(lane_keys(), lane));
        finish(lane);
        if (problems_.size() > before) return;
        if (!identity.account) return report_problem(entry, Scope::submitter, "has no account");
        if (chain == nullptr) {
            if (!chains_complete_) return;
            return report_problem(entry, Scope::submitter,
                                  fmt::format("its chain {} is not configured", identity.account->chain().to_string()));
        }
        const auto same = std::ranges::find(config_.submitters, *identity.account, &SubmitterConfig::id);
        if (same != config_.submitters.end()) {
            return report_problem(entry, Scope::submitter,
                                  fmt::format("is the same account as submitters.{}", same->name));
        }
        config_.submitters.push_back({.name = entry.name, .id = *identity.account, .lane = lane});
    }

    void add_signer(const Entry& entry) {
        SignerIdentity identity;
        SignerConfig signer{.name = entry.name};
        const auto before = problems_.size();
        put(entry.items, target(signer_identity_keys(), identity), target(signer_keys(), signer));
        if (problems_.size() > before) return;
        if (!identity.kind) return report_problem(entry, Scope::signer, "has no kind");
        signer.kind = *identity.kind;
        if (const auto missing = missing_keys_of(signer)) return report_problem(entry, Scope::signer, *missing);
        config_.signers.push_back(std::move(signer));
    }

    Problems& problems_;
    Config config_;
    ItemList top_;
    std::vector<Entry> chains_;
    std::vector<Entry> submitters_;
    std::vector<Entry> signers_;
    bool chains_complete_ = true;
};

}  // namespace

Config assemble(const Settings& settings, Problems& problems) { return Assembler(problems).run(settings); }

}  // namespace fencepost::config

// A store that grants every lease and has no data, for tests of call routing.
#pragma once

#include <functional>
#include <set>
#include <utility>

#include "lane/host/lane_host.hpp"
#include "lane/prepare/builder.hpp"
#include "lane/test_chain.hpp"

namespace fencepost::lane::test {

/// One per host: not thread-safe.
class ScriptedStore final : public Leases,
                            public LaneStore,
                            public Commands,
                            public Headers,
                            public Signer,
                            public Telemetry {
public:
    /// Called with the submitter of every open() and load().
    std::function<void(const SubmitterId&)> on_call = [](const SubmitterId& /*submitter*/) {};
    std::set<SubmitterId> opened;

    Task<Result<OpenAnswer, StoreError>> open(SubmitterId submitter, NodeId node, Duration /*duration*/) override {
        on_call(submitter);
        opened.insert(submitter);
        co_return OpenAnswer{LeaseResult::inserted, Fence{node, FenceToken(1)}};
    }
    Task<Result<std::vector<LeaseResult>, StoreError>> renew(std::vector<LeaseClaim> claims, Duration) override {
        co_return std::vector(claims.size(), LeaseResult::renewed);
    }
    Task<Status<StoreError>> release(std::vector<LeaseClaim>) override { co_return Status<StoreError>{}; }

    Task<Result<LaneState, StoreError>> load(SubmitterId submitter) override {
        on_call(submitter);
        co_return err(StoreError::unavailable);
    }
    Task<Result<LaneState, StoreError>> load_block(SubmitterId, SettledBlock) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite>) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId, AcceptSequence,
                                                                      std::size_t) override {
        FP_UNREACHABLE();
    }
    Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(SubmitterId, Duration) override {
        FP_UNREACHABLE();
    }
    Task<Result<CommandSequence, StoreError>> post(Command) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<Command>, StoreError>> pending(SubmitterId) override { FP_UNREACHABLE(); }
    Task<Status<StoreError>> record(ChainRef, std::vector<BlockRef>) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<BlockRef>, StoreError>> between(ChainRef, BlockNumber, BlockNumber) override {
        FP_UNREACHABLE();
    }
    Task<Status<StoreError>> prune_below(ChainRef, BlockNumber) override { FP_UNREACHABLE(); }

    [[nodiscard]] bool can_sign_for(const SubmitterId&) const override { return true; }
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction) override { FP_UNREACHABLE(); }
    void count(Counter, std::string_view, std::uint64_t) override {}
};

/// A host with such a store, on an executor and a clock of the test.
struct ScriptedHost {
    ScriptedHost(const Executor& executor, Clock& clock)
        : chain(executor),
          host(executor, NodeId("n/1"),
               {.leases = store,
                .store = store,
                .commands = store,
                .headers = store,
                .signer = store,
                .builder = builder,
                .clock = clock,
                .telemetry = store,
                .log = log}),
          tasks(executor) {
        host.add_chain(chain);
        tasks.spawn(host.run());
    }

    ScriptedStore store;
    ScriptedChain chain;
    IdentityBuilder builder;
    NoLog log;
    LaneHost host;
    TaskGroup tasks;
};

}  // namespace fencepost::lane::test

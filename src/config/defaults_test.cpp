// The seeds' keys, by the seeds' names and with the seeds' defaults (../shared/seeds-checklist.md, CF01 to CF12), told
// as a person is told them.
#include <algorithm>

#include <gtest/gtest.h>

#include "config/keys/keys.hpp"
#include "config/test_load.hpp"

namespace fencepost::config {
namespace {

std::string default_of(std::string_view name) {
    const auto& keys = keys_in(Scope::top);
    const auto found = std::ranges::find(keys, name, &KeyInfo::name);
    if (found == keys.end()) return "no such key";
    return found->default_value.empty() ? "none" : found->default_value.front();
}

std::string bounds_of(std::string_view name) {
    const auto& keys = keys_in(Scope::top);
    const auto found = std::ranges::find(keys, name, &KeyInfo::name);
    return found == keys.end() ? "no such key" : found->bounds;
}

TEST(SeedDefaults, LeaseIs10sAndRenewedEvery3s) {
    EXPECT_EQ(default_of("lease.duration"), "10s");
    EXPECT_EQ(bounds_of("lease.duration"), "5s to 30s");
    EXPECT_EQ(default_of("lease.renewInterval"), "3s");
    EXPECT_EQ(default_of("lease.enabled"), "no such key");
}

TEST(SeedDefaults, NoncesAreStrict) { EXPECT_EQ(default_of("nonce.strict.enabled"), "true"); }

// The seeds send one at a time: `nonce.window: 1`.
TEST(SeedDefaults, WindowIsAuto) {
    EXPECT_EQ(default_of("nonce.window"), "auto");
    EXPECT_EQ(bounds_of("nonce.window"), "1 to 10000");
    EXPECT_EQ(default_of("nonce.delegatedAccounts"), "single");
}

TEST(SeedDefaults, SharedKeyTimeoutsAre5And10Minutes) {
    EXPECT_EQ(default_of("allocation.nonceStateTimeout"), "5m");
    EXPECT_EQ(default_of("allocation.reservedTimeout"), "10m");
}

TEST(SeedDefaults, GreyZoneSearchRunsEveryMinuteFor5Minutes) {
    EXPECT_EQ(default_of("greyZone.enabled"), "true");
    EXPECT_EQ(default_of("greyZone.interval"), "1m");
    EXPECT_EQ(default_of("greyZone.timeout"), "5m");
    EXPECT_EQ(default_of("connector.hashRecomputation"), "true");
    EXPECT_EQ(default_of("connector.queryByNonce"), "false");
}

TEST(SeedDefaults, TwentyConfirmationsAreRequired) {
    EXPECT_EQ(default_of("confirmations.required"), "20");
    EXPECT_EQ(default_of("confirmations.staleReceiptTimeout"), "1m");
    EXPECT_EQ(default_of("confirmations.fetchReceiptUponEntry"), "false");
    EXPECT_EQ(default_of("confirmations.receiptWorkers"), "10");
}

TEST(SeedDefaults, BlockQueueLengthIs1000) {
    EXPECT_EQ(default_of("confirmations.blockQueueLength"), "1000");
    EXPECT_EQ(default_of("confirmations.notificationQueueLength"), "1000");
}

TEST(SeedDefaults, ResubmitsEveryMinuteTenTimes) {
    EXPECT_EQ(default_of("resubmit.enabled"), "true");
    EXPECT_EQ(default_of("resubmit.interval"), "1m");
    EXPECT_EQ(default_of("resubmit.maxAttempts"), "10");
}

TEST(SeedDefaults, TransactionTimeoutIs30MinutesWithoutFailure) {
    EXPECT_EQ(default_of("timeout.transactionTimeout"), "30m");
    EXPECT_EQ(default_of("timeout.failOnTimeout"), "false");
}

TEST(SeedDefaults, GasBumpAndDiagnosisAreOff) {
    EXPECT_EQ(default_of("gasbump.enabled"), "false");
    EXPECT_EQ(default_of("gasbump.minInterval"), "1m");
    EXPECT_EQ(default_of("gasbump.maxAttempts"), "10");
    EXPECT_EQ(default_of("gasbump.multiplier"), "1.125");
    EXPECT_EQ(default_of("mempool.diagnose.enabled"), "false");
}

TEST(SeedDefaults, RpcTimeoutIs10sWith100InFlight) {
    EXPECT_EQ(default_of("rpc.timeout"), "10s");
    EXPECT_EQ(default_of("rpc.maxInFlight"), "100");
    const auto config = config_of({.file = "chains: {main: {id: 1, rpc.url: \"http://node:8545\"}}"});
    ASSERT_EQ(config.chains.size(), 1U);
    const auto& chain = config.chains.front();
    EXPECT_EQ(chain.endpoints.at(0).rpc.url.host, "node");
    EXPECT_EQ(chain.endpoints.at(0).rpc.max_in_flight, 100U);
    EXPECT_EQ(chain.settings.evm.pool.endpoint.in_flight.most, 100U);
}

TEST(SeedDefaults, ReservationAlertAt100AndReconcileEvery5Minutes) {
    EXPECT_EQ(default_of("monitoring.reservedThreshold"), "100");
    EXPECT_EQ(default_of("reconcile.interval"), "5m");
}

TEST(SeedDefaults, RoutingIsOff) { EXPECT_EQ(default_of("routing.enabled"), "false"); }

TEST(SeedDefaults, ApplyWithoutConfiguration) {
    const auto config = config_of({});
    EXPECT_EQ(config.host.lease, lane::HostOptions{}.lease);
    EXPECT_EQ(config.lane.confirmations_required, 20U);
    EXPECT_EQ(config.database.name, DatabaseName{});
}

}  // namespace
}  // namespace fencepost::config

#include "demo/samples.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace fencepost::demo {
namespace {

Address numbered(std::uint8_t number) { return Address{{{number}}}; }

const SampleTargets targets{.accounts = {numbered(1), numbered(2), numbered(3), numbered(4), numbered(5)},
                            .token = numbered(7),
                            .failing = numbered(8)};

TEST(DemoSamples, AreValidRequests) {
    for (const auto& sample : make_samples(targets, 1, 6)) {
        const auto body = boost::json::parse(sample.body).as_object();
        EXPECT_EQ(body.at("requestId").as_string(), sample.request_id);
        EXPECT_EQ(body.at("submitter").as_string(), sample.submitter.to_checksum());
        EXPECT_TRUE(body.at("payload").as_object().contains("to"));
    }
}

TEST(DemoSamples, ExampleHasANewRequestIdInEachRun) {
    for (std::size_t run = 1; run <= 2; ++run) {
        const auto body = boost::json::parse(example_body(targets, run)).as_object();
        EXPECT_EQ(body.at("requestId").as_string(), "mine-" + std::to_string(run));
    }
}

TEST(DemoSamples, HaveNewRequestIdsInEachRun) {
    std::set<std::string> ids;
    for (std::size_t run = 1; run <= 3; ++run) {
        for (const auto& sample : make_samples(targets, run, 7))
            ids.insert(sample.request_id);
    }
    EXPECT_EQ(ids.size(), 21U);
    EXPECT_TRUE(make_samples(targets, 1, 0).empty());
}

TEST(DemoSamples, CancelledSampleUsesItsOwnSubmitter) {
    const auto samples = make_samples(targets, 1, 6);
    EXPECT_EQ(std::ranges::count(samples, true, &Sample::is_cancelled), 1);
    for (const auto& sample : samples)
        EXPECT_EQ(sample.is_cancelled, sample.submitter == numbered(4)) << sample.request_id;
}

TEST(DemoSamples, FailingSamplesUseTheirOwnSubmitter) {
    for (const auto& sample : make_samples(targets, 1, 5)) {
        const bool fails = sample.body.contains(targets.failing.to_checksum());
        EXPECT_EQ(fails, sample.submitter == numbered(3)) << sample.request_id;
    }
}

}  // namespace
}  // namespace fencepost::demo

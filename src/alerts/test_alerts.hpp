// Helpers for the alert tests: virtual time, and listeners that record.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alerts/alert_sink.hpp"
#include "ports/log.hpp"
#include "sim/sim_clock.hpp"

namespace fencepost::alerts {

using namespace std::chrono_literals;

inline const auto alice = SubmitterId::evm(1, {});
inline const auto bob = SubmitterId::evm(2, {});

class Listener final : public AlertSink {
public:
    void notify(const Notice& notice) override { heard.push_back(notice); }
    std::vector<Notice> heard;
};

class RaisedAlerts final : public Alerts {
public:
    void raise(Alert alert) override { raised.push_back(std::move(alert)); }
    std::vector<Alert> raised;
};

class RecordedLog final : public Log {
public:
    struct Line {
        Severity severity{};
        std::string message{};
        std::vector<std::pair<std::string, std::string>> fields{};
    };
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override {
        Line line{severity, std::string(message), {}};
        for (const auto& field : fields)
            line.fields.emplace_back(field.name, field.value);
        lines.push_back(std::move(line));
    }
    std::vector<Line> lines;
};

class InVirtualTime : public ::testing::Test {
protected:
    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("a");
    sim::SimClock clock_{node_};
    RecordedLog log_;
};

}  // namespace fencepost::alerts

// The CPU cost of communicating with an EVM chain, on one core. Values that are compared are measured alternately,
// because the machine's speed changes from minute to minute.
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codec_speed.hpp"
#include "rpc_rate.hpp"

namespace fencepost::bench {
namespace {

/// Results by name, printed as JSON on the last line.
class Report {
public:
    void add(std::string_view name, double value, int decimals) {
        fields_.push_back(fmt::format(R"("{}": {:.{}f})", name, value, decimals));
    }
    [[nodiscard]] std::string json() const { return fmt::format("{{{}}}", fmt::join(fields_, ", ")); }

private:
    std::vector<std::string> fields_;
};

void report_codec(Report& report) {
    const CodecSpeed speed = measure_codec();
    fmt::print("{:<42} {:>9.0f}/s\n", "secp256k1_ecdsa_sign_recoverable alone", speed.bare_sign_per_s);
    fmt::print("{:<42} {:>9.0f}/s, {:.0f} % of that\n", "sign, encode and hash an EIP-1559 transfer", speed.sign_per_s,
               100 * speed.sign_ratio);
    fmt::print("{:<42} {:>9.0f}/s\n", "decode one and recover its sender", speed.decode_per_s);
    report.add("sign_per_s", speed.sign_per_s, 0);
    report.add("bare_sign_per_s", speed.bare_sign_per_s, 0);
    report.add("sign_ratio", speed.sign_ratio, 2);
    report.add("decode_per_s", speed.decode_per_s, 0);
}

void report_rpc(Report& report) {
    const double calls = measure_rpc_calls_per_second(std::chrono::seconds(3));
    fmt::print("{:<42} {:>9.0f}/s, client and stub on one core\n", "JSON-RPC calls in batches of 100", calls);
    report.add("rpc_calls_per_s", calls, 0);
}

}  // namespace
}  // namespace fencepost::bench

int main() {
    fencepost::bench::Report report;
    fencepost::bench::report_codec(report);
    fencepost::bench::report_rpc(report);
    fmt::print("{}\n", report.json());
}

#include "doctor/clock_difference.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace fencepost::doctor {
namespace {

using std::chrono::microseconds;

constexpr Duration warning_threshold = std::chrono::seconds(1);
constexpr Duration error_threshold = std::chrono::seconds(30);

double seconds_of(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

Finding judge_clock_difference(UnixTime there, UnixTime here, Duration took) {
    // The database read its clock between here - took and here; a time in that interval is no difference.
    const auto ahead = Duration(there - here);
    const auto behind = Duration(here - there) - took;
    const auto difference = std::max({ahead, behind, Duration{}});
    const auto text =
        fmt::format("{:.1f} s {} this machine's", seconds_of(difference), ahead > behind ? "ahead of" : "behind");
    const std::string subject = "database time";
    const std::string to_do = "synchronise both machines with a time server (chrony, systemd-timesyncd)";
    if (difference >= error_threshold) return broken(subject, text, to_do);
    if (difference >= warning_threshold) return doubtful(subject, text, to_do);
    return good(subject, "within 1 s of this machine's");
}

}  // namespace fencepost::doctor

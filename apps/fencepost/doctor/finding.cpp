#include "doctor/finding.hpp"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::doctor {
namespace {

using cli::Style;

struct Mark {
    std::string_view text;
    Style style;
};

Mark mark_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::good:
            return {"✓", Style::good};
        case Verdict::doubtful:
            return {"!", Style::attention};
        case Verdict::broken:
            return {"✗", Style::bad};
    }
    FP_UNREACHABLE();
}

}  // namespace

Finding good(std::string subject, std::string what) {
    return {.verdict = Verdict::good, .subject = std::move(subject), .what = std::move(what)};
}

Finding doubtful(std::string subject, std::string what, std::string to_do) {
    return {.verdict = Verdict::doubtful,
            .subject = std::move(subject),
            .what = std::move(what),
            .to_do = std::move(to_do)};
}

Finding broken(std::string subject, std::string what, std::string to_do) {
    return {
        .verdict = Verdict::broken, .subject = std::move(subject), .what = std::move(what), .to_do = std::move(to_do)};
}

bool any_broken(std::span<const Finding> findings) {
    return std::ranges::any_of(findings, [](const auto& each) { return each.verdict == Verdict::broken; });
}

std::string to_text(const Finding& finding, const cli::Paint& paint) {
    const auto [text, style] = mark_of(finding.verdict);
    auto line = fmt::format("{} {}: {}\n", paint(style, text), finding.subject, finding.what);
    if (!finding.to_do.empty()) line += fmt::format("    to do: {}\n", finding.to_do);
    return line;
}

std::string summary_of(std::span<const Finding> findings) {
    const auto count = [findings](Verdict verdict) { return std::ranges::count(findings, verdict, &Finding::verdict); };
    return fmt::format("{} good, {} doubtful, {} broken\n", count(Verdict::good), count(Verdict::doubtful),
                       count(Verdict::broken));
}

std::string to_json(std::span<const Finding> findings) {
    boost::json::array items;
    for (const auto& [verdict, subject, what, to_do] : findings) {
        boost::json::object item{{"subject", subject}, {"verdict", name_of(verdict)}, {"what", what}};
        if (!to_do.empty()) item.emplace("toDo", to_do);
        items.push_back(std::move(item));
    }
    const boost::json::object document{{"ok", !any_broken(findings)}, {"findings", std::move(items)}};
    return boost::json::serialize(document) + "\n";
}

}  // namespace fencepost::doctor

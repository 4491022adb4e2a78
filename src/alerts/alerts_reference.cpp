#include "alerts/alerts_reference.hpp"

#include <string_view>

#include <fmt/format.h>

#include "ports/alert_guide.hpp"

namespace fencepost::alerts {
namespace {

constexpr std::string_view introduction = R"(# Alerts

<!-- Made by "fencepost alerts --markdown". Do not edit: change src/ports/alert_guide.cpp and make it again. -->

An alert tells a person about something that Fencepost does not solve by itself, or that costs money if it lasts. Every
alert goes to the log; with `alerts.webhook.url` it is also posted as JSON:

```json
{"kind": "LOW_BALANCE", "level": "WARNING", "submitter": "eip155:1:0x…", "message": "…",
 "at": "2026-11-18T16:00:00.000Z", "times": 1, "reminder": false, "lost": 0}
```

Repeats of one kind about one submitter within `alerts.foldInterval` are one alert; `times` counts them, and `reminder`
marks the message that says so. `submitter` is null where the alert is about a node or a chain. `lost` counts the alerts
that did not reach the webhook before this one.

| level | when to look |
|---|---|
| `WARNING` | today |
| `ERROR` | now: something does not go on without a person |
| `CRITICAL` | at once: what Fencepost has on record may be wrong |

## Kinds

)";

std::string_view title_of(std::string_view page) {
    const auto name = page.substr(page.find('/') == std::string_view::npos ? 0 : page.find('/') + 1);
    return name.substr(0, name.rfind(".md"));
}

std::string link_to(std::string_view page) {
    return page.empty() ? std::string() : fmt::format("[{}]({})", title_of(page), page);
}

}  // namespace

std::string alerts_markdown() {
    std::string text(introduction);
    text += "| kind | level | meaning | what to do | runbook |\n|---|---|---|---|---|\n";
    for (const auto& [kind, name] : enum_names<AlertKind>) {
        const auto [meaning, what_to_do, runbook] = guide_to(kind);
        text += fmt::format("| `{}` | `{}` | {} | {} | {} |\n", name, default_level(kind), meaning, what_to_do,
                            link_to(runbook));
    }
    return text;
}

std::string alerts_text() {
    std::string text;
    for (const auto& [kind, name] : enum_names<AlertKind>) {
        const auto [meaning, what_to_do, runbook] = guide_to(kind);
        text += fmt::format("{}  ({})\n    {}\n    To do: {}\n", name, default_level(kind), meaning, what_to_do);
        if (!runbook.empty()) text += fmt::format("    Runbook: docs/operating/{}\n", runbook);
        text += "\n";
    }
    return text;
}

}  // namespace fencepost::alerts

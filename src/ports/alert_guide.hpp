// What an operator does about each kind of alert, in one place: docs/operating/alerts.md and `fencepost alerts` are
// made from it, so that no kind can be raised that nobody explains.
#pragma once

#include <string_view>

#include "ports/alerts.hpp"

namespace fencepost {

struct AlertGuide {
    /// What is wrong, in one or two sentences.
    std::string_view meaning;
    /// What the operator does, in the order in which to do it.
    std::string_view what_to_do;
    /// A page below docs/operating; empty where the sentence above is all there is to do.
    std::string_view runbook{};
};

[[nodiscard]] AlertGuide guide_to(AlertKind kind);

}  // namespace fencepost

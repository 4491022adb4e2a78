// The registry of chain adapters. The composition root registers a chain family under its CAIP-2 namespace; lane and
// store never depend on a concrete family.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/result.hpp"
#include "domain/submitter_id.hpp"
#include "ports/chain.hpp"

namespace fencepost {

class Connectors {
public:
    using Connect = std::function<std::unique_ptr<Chain>(const ChainRef&)>;

    void add(std::string name_space, Connect connect) {
        by_namespace_.insert_or_assign(std::move(name_space), std::move(connect));
    }

    /// The error names a namespace without a connector.
    [[nodiscard]] Result<std::unique_ptr<Chain>, ParseError> connect(const ChainRef& chain) const {
        const auto found = by_namespace_.find(chain.name_space());
        if (found != by_namespace_.end()) return found->second(chain);
        return err(ParseError{fmt::format("no connector for chains of the family \"{}\" (asked for {})",
                                          chain.name_space(), chain.to_string())});
    }

private:
    std::map<std::string, Connect, std::less<>> by_namespace_;
};

}  // namespace fencepost

// A password, PIN or token: text that must not outlive its use, be copied by accident or be printed.
#pragma once

#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "base/crypto/wipe.hpp"

namespace fencepost {

/// Wiped on destruction and on move. Cannot be compared, formatted or copied implicitly.
class Secret {
public:
    Secret() = default;
    /// Copies the text; the caller wipes the original.
    explicit Secret(std::string_view text) : bytes_(text.begin(), text.end()) {}
    Secret(Secret&& other) noexcept = default;  // a vector moves its memory and leaves nothing behind
    Secret& operator=(Secret&& other) noexcept;
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;
    ~Secret() { wipe(bytes_); }

    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    /// The text. A caller that copies it must wipe the copy.
    [[nodiscard]] std::string_view expose() const {
        return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
    }
    [[nodiscard]] Secret copy() const { return Secret(expose()); }

private:
    Bytes bytes_;
};

inline Secret& Secret::operator=(Secret&& other) noexcept {
    if (this == &other) return *this;
    wipe(bytes_);
    bytes_ = std::move(other.bytes_);
    return *this;
}

}  // namespace fencepost

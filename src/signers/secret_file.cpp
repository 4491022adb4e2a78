// Reads a small secret without leaving copies of it.
#include "signers/secret_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/descriptor.hpp"

namespace fencepost::signers {
namespace {

constexpr std::size_t max_secret = 4096;

std::string_view without_line_end(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

}  // namespace

Result<Secret, std::string> read_secret(int descriptor, std::string_view name) {
    // Read without streams, whose buffers are never wiped.
    std::array<std::uint8_t, max_secret + 1> buffer{};
    const auto length = read_fully(descriptor, buffer);
    const int error = errno;
    const std::string_view text(reinterpret_cast<const char*>(buffer.data()), length.value_or(0));
    Secret secret(without_line_end(text));
    wipe(buffer);
    if (!length) return err(fmt::format("{} cannot be read: {}", name, std::strerror(error)));
    if (*length > max_secret) return err(fmt::format("{} is longer than {} bytes", name, max_secret));
    if (secret.empty()) return err(fmt::format("{} is empty", name));
    return secret;
}

Result<Secret, std::string> read_secret_file(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return err(fmt::format("{} cannot be read: {}", path.string(), std::strerror(errno)));
    return read_secret(file.get(), path.string());
}

}  // namespace fencepost::signers

// Private to src/http: the server's TLS certificate and the authorities that it trusts. No type of the TLS library
// appears in this header, which every session includes.
#pragma once

#include <memory>

#include "http/server.hpp"

namespace fencepost::http {

struct TlsContext;

struct DeleteTlsContext {
    void operator()(TlsContext* context) const;
};

/// TLS 1.2 or 1.3 only. Throws StartupError, which names the file and says what to do.
[[nodiscard]] std::unique_ptr<TlsContext, DeleteTlsContext> make_tls_context(const TlsFiles& files);

}  // namespace fencepost::http

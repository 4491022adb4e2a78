// Private to src/http: what the server shows of itself over TLS, and whom it believes. No type of the TLS library shows
// in this header, which every session includes.
#pragma once

#include <memory>

#include "http/server.hpp"

namespace fencepost::http {

struct TlsContext;

struct DeleteTlsContext {
    void operator()(TlsContext* context) const;
};

/// TLS 1.2 or 1.3 and nothing older. Throws StartupError, which names the file and says what to do.
[[nodiscard]] std::unique_ptr<TlsContext, DeleteTlsContext> make_tls_context(const TlsFiles& files);

}  // namespace fencepost::http

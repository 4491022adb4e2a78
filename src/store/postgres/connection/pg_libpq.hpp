// Owning wrappers for libpq objects, for this folder only: no libpq type leaves it.
#pragma once

#include <libpq-fe.h>
#include <memory>
#include <utility>

#include "store/postgres/connection/pg_values.hpp"

namespace fencepost::store::pg {

struct FinishConnection {
    void operator()(PGconn* connection) const { PQfinish(connection); }
};
using ConnectionPtr = std::unique_ptr<PGconn, FinishConnection>;

struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ClearResult>;

struct Rows::Impl {
    explicit Impl(ResultPtr result_in) : result(std::move(result_in)) {}
    ResultPtr result;
};

}  // namespace fencepost::store::pg

// Steps one PostgreSQL session by hand.
#include "session.hpp"

#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

namespace fencepost::race {
namespace {

using ResultPtr = std::unique_ptr<PGresult, void (*)(PGresult*)>;

Answer rows_of(const PGresult* result) {
    Answer rows;
    for (int row = 0; row < PQntuples(result); ++row) {
        rows.emplace_back();
        for (int column = 0; column < PQnfields(result); ++column)
            rows.back().emplace_back(PQgetvalue(result, row, column));
    }
    return rows;
}

std::string sqlstate_of(const PGresult* result) {
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state != nullptr ? state : "lost";
}

void check(bool done, PGconn* connection) {
    if (!done) throw std::runtime_error(PQerrorMessage(connection));
}

}  // namespace

Session::Session(const std::string& url) : connection_(PQconnectdb(url.c_str()), &PQfinish) {
    check(PQstatus(connection_.get()) == CONNECTION_OK, connection_.get());
}

void Session::send(const std::string& sql, const Params& params) {
    std::vector<const char*> values;
    for (const auto& param : params)
        values.push_back(param.c_str());
    const int sent = PQsendQueryParams(connection_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                                       values.data(), nullptr, nullptr, 0);
    check(sent == 1, connection_.get());
}

Outcome Session::collect() {
    Outcome outcome;
    while (const ResultPtr result{PQgetResult(connection_.get()), &PQclear}) {
        if (PQresultStatus(result.get()) == PGRES_FATAL_ERROR) {
            if (outcome.ok()) outcome.sqlstate = sqlstate_of(result.get());
        } else {
            outcome.rows = rows_of(result.get());
        }
    }
    return outcome;
}

Outcome Session::attempt(const std::string& sql, const Params& params) {
    if (PQsendQueryParams(connection_.get(), "SELECT", 0, nullptr, nullptr, nullptr, nullptr, 0) == 0) {
        return {.sqlstate = "lost"};
    }
    if (auto alive = collect(); !alive.ok()) return alive;
    send(sql, params);
    return collect();
}

Answer Session::run(const std::string& sql, const Params& params) {
    send(sql, params);
    auto outcome = collect();
    if (!outcome.ok()) throw std::runtime_error(fmt::format("{}: {}", sql, PQerrorMessage(connection_.get())));
    return std::move(outcome.rows);
}

void Session::stall_in_pipeline(const std::vector<std::string>& statements) {
    check(PQenterPipelineMode(connection_.get()) == 1, connection_.get());
    for (const auto& sql : statements)
        send(sql);
    check(PQsendFlushRequest(connection_.get()) == 1 && PQflush(connection_.get()) == 0, connection_.get());
}

bool Session::is_blocked(Session& control) const {
    return control.run("SELECT cardinality(pg_blocking_pids($1::int)) > 0", {std::to_string(backend_pid())})
               .at(0)
               .at(0) == "t";
}

bool Session::comes_to_wait(Session& control) const {
    static constexpr int attempts = 3000;
    for (int i = 0; i < attempts; ++i) {
        if (is_blocked(control)) return true;
        ::usleep(10'000);
    }
    return false;
}

}  // namespace fencepost::race

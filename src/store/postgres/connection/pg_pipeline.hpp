// One round trip: many statements, one Sync, all answers. Its only knowledge of transactions: when it contained a
// COMMIT and the answer is missing, the outcome is unknown.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/async/task.hpp"
#include "store/postgres/connection/pg_connection.hpp"
#include "store/postgres/connection/pg_link.hpp"

namespace fencepost::store::pg {

inline constexpr Statement begin_statement{"begin", "BEGIN"};
inline constexpr Statement commit_statement{"commit", "COMMIT"};
inline constexpr Statement rollback_statement{"rollback", "ROLLBACK"};

class Pipeline {
public:
    Pipeline(std::unique_ptr<Link> link, std::chrono::milliseconds answer_timeout);

    /// Sends the statements and reads all answers, even after an error. Returns the error of the first statement that
    /// failed.
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> exchange(std::vector<Query> queries);

    /// Simple protocol: several statements in one text, executed as one transaction.
    [[nodiscard]] Task<PgResult<void>> script(std::string sql);

    /// Between exchanges; see Connection.
    [[nodiscard]] Task<PgResult<std::vector<std::string>>> notifications(std::chrono::milliseconds patience);

    [[nodiscard]] bool is_usable() const;
    /// For a connection that works but must not be reused.
    void give_up() { *state_ = State::broken; }
    [[nodiscard]] PGconn* pq() const { return link_->pq(); }

private:
    // An exchange that is interrupted, for example by cancellation, leaves answers behind that the next one would
    // mistake for its own.
    enum class State { idle, busy, broken };
    class UnderWay;

    // One command in flight. A statement that is new to this connection takes two: first its preparation.
    struct Command {
        const Statement* statement = nullptr;
        std::string prepares{};  // the name, if it is a preparation
    };
    struct Outcome {
        std::vector<Rows> rows{};
        std::optional<PgError> error{};
    };

    [[nodiscard]] bool send(const Query& query, std::vector<Command>& commands);
    [[nodiscard]] bool send_all(const std::vector<Query>& queries, std::vector<Command>& commands, bool& commit_sent);
    [[nodiscard]] Task<bool> receive(std::vector<Command> commands, Outcome* outcome);
    void judge(const Command& command, ResultPtr result, Outcome& outcome);
    [[nodiscard]] PgError lost(bool commit_sent, const std::optional<PgError>& said) const;

    std::unique_ptr<Link> link_;
    std::chrono::milliseconds answer_timeout_;
    std::unordered_set<std::string> prepared_;
    std::shared_ptr<State> state_ = std::make_shared<State>(State::idle);
};

}  // namespace fencepost::store::pg

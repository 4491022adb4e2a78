// One connection to SQLite and what must never be forgotten with it: statements go back when they are done with, a
// transaction that was not committed is rolled back, and every failure is noticed. Used by one thread at a time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/time.hpp"
#include "store/sqlite/engine/sqlite_values.hpp"

struct sqlite3;
struct sqlite3_context;
struct sqlite3_stmt;
struct sqlite3_value;

namespace fencepost::store::sqlite {

/// Why SQLite could not do something: the disk is full, the file is locked, damaged, read-only. Thrown inside this
/// folder only; the store turns it into a StoreError.
struct SqliteError {
    int code = 0;  // SQLite's primary result code
    std::string what;
    /// A COMMIT failed in a way that does not say whether it will be there after a crash.
    bool outcome_unknown = false;
};

class Database {
public:
    /// What fencepost_now() answers in SQL. It is called on whichever thread uses the database.
    using Now = std::function<UnixTime()>;

    enum class Opening {
        for_use,  // makes the file if it is not there, and gives it a write-ahead log
        to_look,  // leaves it as it is: it may belong to somebody else
    };

    /// Opens the file; ":memory:" is a database of its own. Throws SqliteError.
    Database(const std::string& path, Now now, std::chrono::milliseconds busy_timeout,
             Opening opening = Opening::for_use);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Runs a statement to its end; the values go to its parameters in the order in which those first appear. Answers
    /// how many rows it changed.
    template <typename... Values>
    std::uint64_t run(std::string_view sql, const Values&... values);
    /// Several statements without parameters: migrations and settings.
    void run_script(const std::string& sql);

    /// The time that fencepost_now() would answer.
    [[nodiscard]] UnixTime now() const { return now_(); }
    [[nodiscard]] std::int64_t last_insert_id() const;
    [[nodiscard]] bool is_in_transaction() const;
    [[nodiscard]] bool is_read_only() const;

private:
    friend class Query;

    [[nodiscard]] sqlite3_stmt* take(std::string_view sql);
    void give_back(std::string_view sql, sqlite3_stmt* statement) noexcept;
    [[nodiscard]] std::uint64_t changes() const;
    [[noreturn]] void fail(int code) const;
    void check(int code) const;
    void set_up(std::chrono::milliseconds busy_timeout, Opening opening);
    void keep_log(std::chrono::milliseconds busy_timeout);
    void close() noexcept;
    static void answer_now(sqlite3_context* context, int count, sqlite3_value** values);

    sqlite3* handle_ = nullptr;
    Now now_;
    // Prepared once; one that is in use is not here, so a statement may be used again inside its own loop. By where the
    // text lies: almost all are literals, and to compare them took as long as to run the small ones.
    std::unordered_map<const char*, std::vector<sqlite3_stmt*>> idle_;
};

/// One use of a prepared statement. The SQL must outlive it.
class Query {
public:
    template <typename... Values>
    Query(Database& database, std::string_view sql, const Values&... values)
        : database_(database),
          sql_(sql),
          statement_(database.take(sql)) {
        bind(std::array<Value, sizeof...(values)>{to_value(values)...});
    }
    ~Query() { database_.give_back(sql_, statement_); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    /// Goes to the next row, if there is one.
    [[nodiscard]] bool step();

    /// The value in a column of the row, from 0.
    template <typename T>
    [[nodiscard]] T get(int column) const {
        return from_column<T>(*this, column);
    }

    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    /// These two last until the next step.
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] ByteView blob(int column) const;

private:
    void bind(std::span<const Value> values);
    void bind(int index, const Value& value);

    Database& database_;
    std::string_view sql_;
    sqlite3_stmt* statement_;
};

template <typename... Values>
std::uint64_t Database::run(std::string_view sql, const Values&... values) {
    Query query(*this, sql, values...);
    while (query.step()) {
    }
    return changes();
}

/// The first row's first column, or nothing.
template <typename T, typename... Values>
[[nodiscard]] std::optional<T> find_value(Database& database, std::string_view sql, const Values&... values) {
    Query query(database, sql, values...);
    if (!query.step()) return std::nullopt;
    return query.get<T>(0);
}

/// A transaction of the database, not of a chain. Rolled back unless committed.
class DbTransaction {
public:
    enum class Kind {
        read,   // one snapshot for several statements
        write,  // the one writer from its first statement on: nothing it read can change before it writes
    };

    DbTransaction(Database& database, Kind kind);
    ~DbTransaction();
    DbTransaction(const DbTransaction&) = delete;
    DbTransaction& operator=(const DbTransaction&) = delete;

    /// Durable when it returns.
    void commit();

private:
    Database& database_;
};

/// A part of a transaction that can be undone alone. One of keep() and undo() must be called: a destructor could not
/// say that undoing failed, and the rest would be committed with what should be gone.
class Savepoint {
public:
    explicit Savepoint(Database& database);
    ~Savepoint();
    Savepoint(const Savepoint&) = delete;
    Savepoint& operator=(const Savepoint&) = delete;

    void keep();
    void undo();

private:
    Database& database_;
    bool settled_ = false;
};

}  // namespace fencepost::store::sqlite

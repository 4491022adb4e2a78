// One SQLite connection with safe cleanup: statements are returned after use, uncommitted transactions are rolled back,
// and no failure goes unnoticed. Used by one thread at a time.
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

/// Why SQLite failed: disk full, file locked, damaged or read-only. Thrown inside this folder only; the store converts
/// it to a StoreError.
struct SqliteError {
    int code = 0;  // SQLite's primary result code
    std::string what;
    /// A COMMIT failed, and whether it survives a crash is unknown.
    bool outcome_unknown = false;
};

class Database {
public:
    /// Implements fencepost_now() in SQL. Called on the thread that uses the database.
    using Now = std::function<UnixTime()>;

    enum class Opening {
        read_write,    // creates the file if needed and enables the write-ahead log
        inspect_only,  // modifies nothing: the file may belong to another program
    };

    /// Opens the file; ":memory:" is a private database. Throws SqliteError.
    Database(const std::string& path, Now now, std::chrono::milliseconds busy_timeout,
             Opening opening = Opening::read_write);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Runs a statement to its end; the values bind to its parameters in order of first appearance. Returns the number
    /// of rows changed.
    template <typename... Values>
    std::uint64_t run(std::string_view sql, const Values&... values);
    /// Several statements without parameters: migrations and settings.
    void run_script(const std::string& sql);

    /// The time that fencepost_now() returns.
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
    // Idle prepared statements; a statement in use is not here, so it may be used again inside its own loop. Keyed by
    // the address of the text: almost all texts are literals, and comparing them took as long as running the small
    // ones.
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

    /// Advances to the next row; false when there is none.
    [[nodiscard]] bool step();

    /// The value of a column in the current row, from 0.
    template <typename T>
    [[nodiscard]] T get(int column) const {
        return from_column<T>(*this, column);
    }

    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    /// Both are valid until the next step.
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

/// The first column of the first row; empty without a row.
template <typename T, typename... Values>
[[nodiscard]] std::optional<T> find_value(Database& database, std::string_view sql, const Values&... values) {
    Query query(database, sql, values...);
    if (!query.step()) return std::nullopt;
    return query.get<T>(0);
}

/// A database transaction. Rolled back unless committed.
class DbTransaction {
public:
    enum class Kind {
        read,   // one snapshot for several statements
        write,  // exclusive writer from its first statement: nothing that it read can change before it writes
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

/// A part of a transaction that can be rolled back alone. The caller must call keep() or undo(): a destructor could not
/// report that undoing failed, and the rest would be committed together with it.
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

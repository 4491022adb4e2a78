// Connection, statements and transactions on the SQLite C API.
#include "store/sqlite/engine/sqlite_database.hpp"

#include <exception>
#include <fcntl.h>
#include <sqlite3.h>

#include "base/assert.hpp"
#include "base/descriptor.hpp"

namespace fencepost::store::sqlite {
namespace {

int primary(int code) { return code & 0xff; }

// Refused before anything was written to the log. After an I/O error the state of the disk is unknown: the commit
// record may exist after a crash, although this process rolled it back.
bool is_certainly_not_committed(int code) {
    switch (primary(code)) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_FULL:
        case SQLITE_READONLY:
        case SQLITE_NOMEM:
            return true;
        default:
            return false;
    }
}

// Errors that neither a disk nor another process can cause.
bool is_programming_error(int code) {
    switch (primary(code)) {
        case SQLITE_MISUSE:
        case SQLITE_RANGE:
        case SQLITE_MISMATCH:
        case SQLITE_CONSTRAINT:
            return true;
        default:
            return false;
    }
}

// Statistics are unused and cost a process-wide lock per allocation. They can be turned off only before the first use
// of the library; otherwise they stay on.
void disable_memory_statistics() {
    [[maybe_unused]] static const int answer = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Only the owner may read intents and signed transactions. SQLite gives its other files the rights of this one; a
// file that exists keeps its own, and what is wrong with the path SQLite tells.
void create_private(const std::string& path) {
    const Descriptor made(::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR));
}

}  // namespace

Database::Database(const std::string& path, Now now, std::chrono::milliseconds busy_timeout, Opening opening)
    : now_(std::move(now)) {
    disable_memory_statistics();
    const int make = opening == Opening::read_write ? SQLITE_OPEN_CREATE : 0;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | make;
    if (opening == Opening::read_write && path != ":memory:") create_private(path);
    const int opened = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
    try {
        check(opened);
        set_up(busy_timeout, opening);
    } catch (const SqliteError&) {
        close();
        throw;
    }
}

Database::~Database() { close(); }

void Database::close() noexcept {
    for (const auto& [text, statements] : idle_) {
        for (auto* const statement : statements)
            sqlite3_finalize(statement);
    }
    idle_.clear();
    sqlite3_close_v2(handle_);
    handle_ = nullptr;
}

void Database::set_up(std::chrono::milliseconds busy_timeout, Opening opening) {
    if (opening == Opening::read_write) keep_log(busy_timeout);
    check(sqlite3_busy_timeout(handle_, static_cast<int>(busy_timeout.count())));
    check(sqlite3_create_function_v2(handle_, "fencepost_now", 0, SQLITE_UTF8, this, &Database::answer_now, nullptr,
                                     nullptr, nullptr));
    if (opening == Opening::inspect_only) return;
    // With FULL a commit is on disk when it returns; the default for a write-ahead log could lose the last commits.
    run_script("PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY");
}

// Two processes that open a new file concurrently each read what the other wants to write, so SQLite fails one of them
// at once, whatever the busy timeout. This waits instead.
void Database::keep_log(std::chrono::milliseconds busy_timeout) {
    constexpr std::chrono::milliseconds pause{5};
    for (auto left = busy_timeout;; left -= pause) {
        const int code = sqlite3_exec(handle_, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
        if (primary(code) != SQLITE_BUSY || left <= pause.zero()) return check(code);
        sqlite3_sleep(static_cast<int>(pause.count()));
    }
}

void Database::answer_now(sqlite3_context* context, int /*count*/, sqlite3_value** /*values*/) {
    const auto* const database = static_cast<const Database*>(sqlite3_user_data(context));
    sqlite3_result_int64(context, database->now().time_since_epoch().count());
}

void Database::run_script(const std::string& sql) {
    check(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t Database::last_insert_id() const { return sqlite3_last_insert_rowid(handle_); }
bool Database::is_in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }
bool Database::is_read_only() const { return sqlite3_db_readonly(handle_, "main") == 1; }
std::uint64_t Database::changes() const { return static_cast<std::uint64_t>(sqlite3_changes64(handle_)); }

void Database::check(int code) const {
    if (code != SQLITE_OK) fail(code);
}

void Database::fail(int code) const {
    const std::string what = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
    FP_ASSERT(!is_programming_error(code), "{}", what);
    throw SqliteError{primary(code), what};
}

sqlite3_stmt* Database::take(std::string_view sql) {
    auto& idle = idle_[sql.data()];
    // Another text may now lie at the same address.
    if (!idle.empty() && sqlite3_sql(idle.back()) == sql) {
        auto* const statement = idle.back();
        idle.pop_back();
        return statement;
    }
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement,
                             nullptr));
    return statement;
}

void Database::give_back(std::string_view sql, sqlite3_stmt* statement) noexcept {
    sqlite3_reset(statement);  // repeats the result of step()
    sqlite3_clear_bindings(statement);
    idle_[sql.data()].push_back(statement);
}

bool Query::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.fail(code);
    return false;
}

void Query::bind(std::span<const Value> values) {
    FP_ASSERT(std::cmp_equal(sqlite3_bind_parameter_count(statement_), values.size()), "{} values for: {}",
              values.size(), sql_);
    int index = 0;
    for (const auto& value : values)
        bind(++index, value);
}

void Query::bind(int index, const Value& value) {
    int code = SQLITE_OK;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        code = sqlite3_bind_int64(statement_, index, *integer);
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
        // A null data pointer would be read as NULL.
        const char* const data = text->empty() ? "" : text->data();
        code = sqlite3_bind_text64(statement_, index, data, text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    } else if (const auto* bytes = std::get_if<ByteView>(&value)) {
        code = bytes->empty() ? sqlite3_bind_zeroblob(statement_, index, 0)
                              : sqlite3_bind_blob64(statement_, index, bytes->data(), bytes->size(), SQLITE_TRANSIENT);
    }
    database_.check(code);
}

bool Query::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::int64_t Query::integer(int column) const {
    FP_ASSERT(sqlite3_column_type(statement_, column) == SQLITE_INTEGER, "column {} of: {}", column, sql_);
    return sqlite3_column_int64(statement_, column);
}

std::string_view Query::text(int column) const {
    FP_ASSERT(sqlite3_column_type(statement_, column) == SQLITE_TEXT, "column {} of: {}", column, sql_);
    const auto* const data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

ByteView Query::blob(int column) const {
    FP_ASSERT(sqlite3_column_type(statement_, column) == SQLITE_BLOB, "column {} of: {}", column, sql_);
    const auto* const data = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

DbTransaction::DbTransaction(Database& database, Kind kind) : database_(database) {
    FP_ASSERT(!database.is_in_transaction());
    database.run(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

DbTransaction::~DbTransaction() {
    // After some failures SQLite has already rolled back.
    if (!database_.is_in_transaction()) return;
    try {
        database_.run("ROLLBACK");
    } catch (const SqliteError&) {
        // What was not committed stays uncommitted, whatever the disk reports now.
    }
}

void DbTransaction::commit() {
    try {
        database_.run("COMMIT");
    } catch (SqliteError& error) {
        error.outcome_unknown = !is_certainly_not_committed(error.code);
        throw;
    }
}

Savepoint::Savepoint(Database& database) : database_(database) { database_.run("SAVEPOINT part"); }

Savepoint::~Savepoint() {
    // When an exception leaves it, the whole transaction is rolled back.
    FP_ASSERT(settled_ || std::uncaught_exceptions() > 0, "a savepoint was neither released nor rolled back");
}

void Savepoint::keep() {
    settled_ = true;
    database_.run("RELEASE part");
}

void Savepoint::undo() {
    settled_ = true;
    database_.run("ROLLBACK TO part");
    database_.run("RELEASE part");
}

}  // namespace fencepost::store::sqlite

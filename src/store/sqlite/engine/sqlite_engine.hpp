// Runs each method of the store as a job in one database transaction. The only place where jobs go to the worker, are
// committed, and SQLite's failures become errors of the port.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "ports/store/store_error.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"
#include "store/sqlite/engine/sqlite_worker.hpp"

namespace fencepost::store::sqlite {

template <typename Job>
using Answer = Result<std::invoke_result_t<Job&, Database&>, StoreError>;

[[nodiscard]] StoreError to_store_error(const SqliteError& error);

class Engine {
public:
    Engine(std::unique_ptr<Database> database, Execution execution)
        : database_(std::move(database)),
          worker_(execution) {}

    /// A job owns everything it uses: it may outlive the calling task.
    template <typename Job>
    [[nodiscard]] Task<Answer<Job>> write(Job job) {
        return run(DbTransaction::Kind::write, std::move(job));
    }
    template <typename Job>
    [[nodiscard]] Task<Answer<Job>> read(Job job) {
        return run(DbTransaction::Kind::read, std::move(job));
    }

private:
    template <typename Job>
    struct Call {
        DbTransaction::Kind kind{};
        Job job;
        std::optional<Answer<Job>> answer{};
    };

    template <typename Job>
    Task<Answer<Job>> run(DbTransaction::Kind kind, Job job) {
        auto call = std::make_shared<Call<Job>>(kind, std::move(job));
        std::function<void()> work = [this, call] { call->answer = attempt(*call); };
        co_await worker_.run(std::move(work));
        co_return *std::move(call->answer);
    }

    template <typename Job>
    Answer<Job> attempt(Call<Job>& call) {
        try {
            DbTransaction transaction(*database_, call.kind);
            if constexpr (std::is_void_v<typename Answer<Job>::value_type>) {
                call.job(*database_);
                transaction.commit();
                return {};
            } else {
                auto value = call.job(*database_);
                transaction.commit();
                return value;
            }
        } catch (const SqliteError& error) {
            return err(to_store_error(error));
        }
    }

    std::unique_ptr<Database> database_;
    Worker worker_;  // last: it ends before the database is closed
};

}  // namespace fencepost::store::sqlite

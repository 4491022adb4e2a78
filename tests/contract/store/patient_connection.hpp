// PostgreSQL connection options for tests that must tolerate a slow machine.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "store/postgres/postgres_store.hpp"

namespace fencepost::contract {

inline store::pg::ConnectionOptions patient_connection(std::string url) {
    constexpr std::chrono::seconds long_enough{100};
    return {.url = std::move(url),
            .connect_timeout = long_enough,
            .statement_timeout = long_enough,
            .lock_timeout = long_enough,
            .idle_in_transaction_timeout = long_enough,
            .answer_timeout = long_enough};
}

}  // namespace fencepost::contract

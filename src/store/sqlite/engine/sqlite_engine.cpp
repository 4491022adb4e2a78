// Maps SQLite failures to errors of the port.
#include "store/sqlite/engine/sqlite_engine.hpp"

namespace fencepost::store::sqlite {

StoreError to_store_error(const SqliteError& error) {
    return error.outcome_unknown ? StoreError::unknown_outcome : StoreError::unavailable;
}

}  // namespace fencepost::store::sqlite

// Which of a token's keys can sign for an Ethereum account, and for which.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "domain/address.hpp"
#include "signers/pkcs11/module.hpp"

namespace fencepost::signers::pkcs11 {

/// The private keys whose public half lies beside them, by address. Labels as in Session::open.
[[nodiscard]] Result<std::map<Address, CK_OBJECT_HANDLE>, Failure> find_keys(CK_FUNCTION_LIST& functions,
                                                                             CK_SESSION_HANDLE session,
                                                                             const std::vector<std::string>& labels);

}  // namespace fencepost::signers::pkcs11

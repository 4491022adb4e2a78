// Finds the keys of a token that can sign for an Ethereum account, and their addresses.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "domain/address.hpp"
#include "signers/pkcs11/module.hpp"

namespace fencepost::signers::pkcs11 {

/// Private keys whose public half is on the same token, by address. Labels as in Session::open.
[[nodiscard]] Result<std::map<Address, CK_OBJECT_HANDLE>, Failure> find_keys(CK_FUNCTION_LIST& functions,
                                                                             CK_SESSION_HANDLE session,
                                                                             const std::vector<std::string>& labels);

}  // namespace fencepost::signers::pkcs11

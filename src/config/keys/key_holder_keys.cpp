// Configuration keys of submitters, and of the signers that hold their private keys.
#include "config/keys/keys.hpp"

namespace fencepost::config {

const Keys<SubmitterIdentity>& submitter_identity_keys() {
    using Owner = SubmitterIdentity;
    static const Keys<Owner> table{
        key<Owner>("account", account(), at(&Owner::account), "Chain and address, for example eip155:1:0x….")};
    return table;
}

const Keys<SignerIdentity>& signer_identity_keys() {
    using Owner = SignerIdentity;
    static const Keys<Owner> table{
        key<Owner>("kind", choice<SignerKind>(), at(&Owner::kind), "Where the private keys are.")};
    return table;
}

const Keys<SignerConfig>& signer_keys() {
    using Owner = SignerConfig;
    using std::chrono::hours;
    using std::chrono::milliseconds;
    static const Keys<Owner> table{
        key<Owner>("folder", text(), at(&Owner::folder), "keystore: the folder of the key files."),
        key<Owner>("passwordFile", text(), at(&Owner::password_file),
                   "keystore: a file with one password for all key files."),
        key<Owner>("passwordFolder", text(), at(&Owner::password_folder),
                   "keystore: a folder with a password file for each key file."),
        key<Owner>("url", http_url(), at(&Owner::url), "remote: JSON-RPC URL.", Printing::never),
        key<Owner>("headers", headers(), at(&Owner::headers), "remote: headers sent with every request.",
                   Printing::never),
        key<Owner>("caFile", text(), at(&Owner::ca_file),
                   "remote: certificate authorities (PEM) in addition to the system's."),
        key<Owner>("timeout", duration(milliseconds(100), hours(1)),
                   at(&Owner::remote, &signers::RemoteSignerOptions::time_limit),
                   "remote: maximum time for a signature."),
        key<Owner>("module", text(), at(&Owner::module_path), "pkcs11: the vendor's library."),
        key<Owner>("token", text(), at(&Owner::token_label), "pkcs11: the token's label."),
        key<Owner>("pinFile", text(), at(&Owner::pin_file), "pkcs11: a file with the PIN."),
        key<Owner>("keys", texts(), at(&Owner::key_labels), "pkcs11: labels of the keys to use; without it, all keys."),
        key<Owner>("sessions", count(1, 64), at(&Owner::sessions), "pkcs11: maximum number of concurrent signatures."),
        key<Owner>("keyFile", text(), at(&Owner::key_file),
                   "development: a file with unencrypted keys in hexadecimal. For tests only.")};
    return table;
}

}  // namespace fencepost::config

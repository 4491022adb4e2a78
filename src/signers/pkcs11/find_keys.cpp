// Searches a token for secp256k1 key pairs.
#include "signers/pkcs11/find_keys.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.hpp"
#include "codec/signature.hpp"

namespace fencepost::signers::pkcs11 {
namespace {

// The object identifier 1.3.132.0.10 in DER (SEC 2).
constexpr std::array<std::uint8_t, 7> secp256k1{0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a};
constexpr CK_ULONG at_a_time = 64;

/// Search template: attributes and their values, owned here while the module reads them.
class Template {
public:
    void add(CK_ATTRIBUTE_TYPE type, CK_ULONG value) { add(type, as_view(value)); }
    void add(CK_ATTRIBUTE_TYPE type, ByteView value) { values_.emplace_back(type, to_bytes(value)); }

    [[nodiscard]] std::vector<CK_ATTRIBUTE> attributes() {
        std::vector<CK_ATTRIBUTE> list;
        list.reserve(values_.size());
        for (auto& [type, value] : values_)
            list.push_back({type, value.data(), value.size()});
        return list;
    }

private:
    static ByteView as_view(const CK_ULONG& value) {
        return {reinterpret_cast<const std::uint8_t*>(&value), sizeof(value)};
    }

    std::vector<std::pair<CK_ATTRIBUTE_TYPE, Bytes>> values_;
};

class Finder {
public:
    Finder(CK_FUNCTION_LIST& functions, CK_SESSION_HANDLE session) : functions_(functions), session_(session) {}

    [[nodiscard]] Result<std::vector<CK_OBJECT_HANDLE>, Failure> find(Template wanted) const {
        auto attributes = wanted.attributes();
        const auto begun =
            check(functions_.C_FindObjectsInit(session_, attributes.data(), attributes.size()), "C_FindObjectsInit");
        if (!begun) return err(begun.error());
        std::vector<CK_OBJECT_HANDLE> found;
        const auto all = collect(found);
        functions_.C_FindObjectsFinal(session_);
        if (!all) return err(all.error());
        return found;
    }

    /// Empty when the object has no such attribute.
    [[nodiscard]] Bytes attribute(CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type) const {
        CK_ATTRIBUTE attribute{type, nullptr, 0};
        if (functions_.C_GetAttributeValue(session_, object, &attribute, 1) != CKR_OK) return {};
        Bytes value(attribute.ulValueLen);
        attribute.pValue = value.data();
        if (functions_.C_GetAttributeValue(session_, object, &attribute, 1) != CKR_OK) return {};
        return value;
    }

private:
    [[nodiscard]] Status<Failure> collect(std::vector<CK_OBJECT_HANDLE>& found) const {
        for (;;) {
            std::array<CK_OBJECT_HANDLE, at_a_time> some{};
            CK_ULONG count = 0;
            const auto code = functions_.C_FindObjects(session_, some.data(), some.size(), &count);
            if (code != CKR_OK) return check(code, "C_FindObjects");
            if (count == 0) return {};
            found.insert(found.end(), some.begin(), some.begin() + std::min(count, at_a_time));
        }
    }

    CK_FUNCTION_LIST& functions_;
    CK_SESSION_HANDLE session_;
};

Template keys_of(CK_OBJECT_CLASS object_class) {
    Template wanted;
    wanted.add(CKA_CLASS, object_class);
    wanted.add(CKA_KEY_TYPE, CKK_EC);
    return wanted;
}

/// The standard wraps the point in a DER octet string; some modules return it bare.
std::optional<Address> address_of_point(ByteView point) {
    constexpr std::array<std::uint8_t, 2> octet_string_of_65{0x04, 0x41};
    if (point.size() == 67 && std::ranges::equal(point.first(2), octet_string_of_65)) point = point.subspan(2);
    return codec::address_of_public_key(point);
}

/// The private half of a public key has the same id or, on tokens without ids, the same label.
Template private_half(const Bytes& id, const Bytes& label) {
    auto wanted = keys_of(CKO_PRIVATE_KEY);
    if (id.empty()) {
        wanted.add(CKA_LABEL, label);
    } else {
        wanted.add(CKA_ID, id);
    }
    return wanted;
}

bool is_wanted(const Bytes& label, const std::vector<std::string>& labels) {
    return labels.empty() || std::ranges::find(labels, std::string(label.begin(), label.end())) != labels.end();
}

}  // namespace

Result<std::map<Address, CK_OBJECT_HANDLE>, Failure> find_keys(CK_FUNCTION_LIST& functions, CK_SESSION_HANDLE session,
                                                               const std::vector<std::string>& labels) {
    const Finder finder(functions, session);
    auto wanted = keys_of(CKO_PUBLIC_KEY);
    wanted.add(CKA_EC_PARAMS, secp256k1);
    const auto public_keys = finder.find(std::move(wanted));
    if (!public_keys) return err(public_keys.error());
    std::map<Address, CK_OBJECT_HANDLE> keys;
    for (const auto public_key : *public_keys) {
        const auto label = finder.attribute(public_key, CKA_LABEL);
        const auto address = address_of_point(finder.attribute(public_key, CKA_EC_POINT));
        if (!address || !is_wanted(label, labels)) continue;
        const auto halves = finder.find(private_half(finder.attribute(public_key, CKA_ID), label));
        if (!halves) return err(halves.error());
        if (!halves->empty()) keys[*address] = halves->front();
    }
    return keys;
}

}  // namespace fencepost::signers::pkcs11

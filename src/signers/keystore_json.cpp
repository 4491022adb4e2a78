// Parses and formats V3 key files, and limits their cost.
#include "signers/keystore_json.hpp"

#include <bit>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text/hex.hpp"

namespace fencepost::signers {
namespace {

namespace json = boost::json;

constexpr std::uint64_t max_memory = std::uint64_t{1} << 30U;
constexpr std::uint64_t max_work = std::uint64_t{1} << 25U;  // n × r × p; the default is 2^21
constexpr std::uint64_t max_rounds = 10'000'000;             // geth writes 262,144
constexpr std::size_t max_salt = 1024;

/// Reads fields by path ("crypto.kdfparams.n") and keeps the first error. An invalid field reads as empty, so check
/// error() before using the values.
class Fields {
public:
    Fields(const json::object& object, std::string path, std::optional<KeystoreError>& error)
        : object_(object),
          path_(std::move(path)),
          error_(error) {}

    [[nodiscard]] const json::value* find(std::string_view name) const {
        const auto* value = object_.if_contains(name);
        return value != nullptr && !value->is_null() ? value : nullptr;
    }
    [[nodiscard]] std::string text(std::string_view name) const {
        const auto* value = find(name);
        if (value == nullptr) return fail(name, "is missing"), "";
        if (!value->is_string()) return fail(name, "is not text"), "";
        return std::string(value->get_string());
    }
    [[nodiscard]] std::uint64_t number(std::string_view name) const {
        const auto* value = find(name);
        if (value == nullptr) return fail(name, "is missing"), 0;
        if (value->is_uint64()) return value->get_uint64();
        if (value->is_int64() && value->get_int64() >= 0) return static_cast<std::uint64_t>(value->get_int64());
        return fail(name, "is not a whole number"), 0;
    }
    [[nodiscard]] Bytes bytes(std::string_view name) const {
        auto decoded = from_hex(text(name));
        if (!decoded) return fail(name, "is not hexadecimal"), Bytes{};
        return *std::move(decoded);
    }
    template <std::size_t N>
    [[nodiscard]] std::array<std::uint8_t, N> fixed(std::string_view name) const {
        const auto decoded = FixedBytes<N, Fields>::from(bytes(name));
        if (!decoded) return fail(name, fmt::format("does not have {} bytes", N)), std::array<std::uint8_t, N>{};
        return decoded->data;
    }
    [[nodiscard]] Fields object(std::string_view name) const {
        static const json::object empty;
        const auto* value = find(name);
        if (value == nullptr) fail(name, "is missing");
        const auto* inner = value != nullptr ? value->if_object() : nullptr;
        if (inner == nullptr) fail(name, "is not an object");
        return {inner != nullptr ? *inner : empty, path_to(name) + ".", error_};
    }
    void fail(std::string_view name, std::string_view what,
              KeystoreError::Kind kind = KeystoreError::Kind::damaged) const {
        if (!error_) error_ = KeystoreError{kind, fmt::format("its field \"{}\" {}", path_to(name), what)};
    }

private:
    [[nodiscard]] std::string path_to(std::string_view name) const { return path_ + std::string(name); }

    const json::object& object_;
    std::string path_;
    std::optional<KeystoreError>& error_;
};

Bytes read_salt(const Fields& params) {
    auto salt = params.bytes("salt");
    if (salt.size() > max_salt) params.fail("salt", fmt::format("has more than {} bytes", max_salt));
    return salt;
}

ScryptParams read_scrypt(const Fields& params) {
    ScryptParams scrypt{.cost = {.n = params.number("n"), .r = params.number("r"), .p = params.number("p")},
                        .salt = read_salt(params)};
    const auto& [n, r, p] = scrypt.cost;
    if (n < 2 || !std::has_single_bit(n)) params.fail("n", "is not a power of two above 1");
    if (r == 0) params.fail("r", "is zero");
    if (p == 0) params.fail("p", "is zero");
    if (const auto objection = cost_error(scrypt.cost)) {
        params.fail("n", "is too expensive: " + *objection, KeystoreError::Kind::too_expensive);
    }
    return scrypt;
}

Pbkdf2Params read_pbkdf2(const Fields& params) {
    Pbkdf2Params pbkdf2{.rounds = params.number("c"), .salt = read_salt(params)};
    if (params.text("prf") != "hmac-sha256") params.fail("prf", "is not \"hmac-sha256\", the only one in use");
    if (pbkdf2.rounds == 0) params.fail("c", "is zero");
    if (pbkdf2.rounds > max_rounds) {
        params.fail("c", fmt::format("is too expensive: more than {} rounds", max_rounds),
                    KeystoreError::Kind::too_expensive);
    }
    return pbkdf2;
}

KdfParams read_kdf(const Fields& crypto) {
    const auto kdf = crypto.text("kdf");
    const auto params = crypto.object("kdfparams");
    if (params.number("dklen") != derived_length) params.fail("dklen", "is not 32");
    if (kdf == "scrypt") return read_scrypt(params);
    if (kdf != "pbkdf2") crypto.fail("kdf", "is neither \"scrypt\" nor \"pbkdf2\"");
    return read_pbkdf2(params);
}

std::optional<Address> read_address(const Fields& fields) {
    if (fields.find("address") == nullptr) return std::nullopt;
    auto text = fields.text("address");
    if (!text.starts_with("0x") && !text.starts_with("0X")) text.insert(0, "0x");
    auto address = Address::parse(text);
    if (!address) return fields.fail("address", "is not an address"), std::nullopt;
    return *address;
}

KeystoreFile read_file(const Fields& fields) {
    if (fields.number("version") != 3) fields.fail("version", "is not 3");
    KeystoreFile file{.address = read_address(fields)};
    // Early wallets wrote it with a capital letter, and ethers still does.
    const auto crypto = fields.object(fields.find("Crypto") != nullptr ? "Crypto" : "crypto");
    if (crypto.text("cipher") != "aes-128-ctr") crypto.fail("cipher", "is not \"aes-128-ctr\"");
    file.iv = crypto.object("cipherparams").fixed<16>("iv");
    file.ciphertext = crypto.fixed<32>("ciphertext");
    file.mac = crypto.fixed<32>("mac");
    file.kdf = read_kdf(crypto);
    return file;
}

}  // namespace

std::optional<std::string> cost_error(const ScryptCost& cost) {
    const auto& [n, r, p] = cost;
    // Divided, not multiplied, to avoid overflow: values from a file may be anything.
    if (r > max_memory || n > max_memory || (r > 0 && n > max_memory / 128 / r)) return "more than 1 GiB of memory";
    if (p > max_work || (n * r > 0 && p > max_work / (n * r))) return "more than a minute of work";
    return std::nullopt;
}

Result<KeystoreFile, KeystoreError> parse_keystore(std::string_view text) {
    boost::system::error_code failure;
    const auto value = json::parse(text, failure);
    const auto* object = failure ? nullptr : value.if_object();
    if (object == nullptr) return err(KeystoreError{KeystoreError::Kind::damaged, "it is not a JSON object"});
    std::optional<KeystoreError> error;
    auto file = read_file(Fields(*object, "", error));
    if (error) return err(*std::move(error));
    return file;
}

std::string format_keystore(const KeystoreFile& file, const Uuid& id) {
    const auto* scrypt = std::get_if<ScryptParams>(&file.kdf);
    FP_ASSERT(scrypt != nullptr && file.address);
    const json::object params{{"dklen", derived_length},
                              {"n", scrypt->cost.n},
                              {"r", scrypt->cost.r},
                              {"p", scrypt->cost.p},
                              {"salt", to_hex(scrypt->salt)}};
    const json::object crypto{{"cipher", "aes-128-ctr"},
                              {"cipherparams", json::object{{"iv", to_hex(file.iv)}}},
                              {"ciphertext", to_hex(file.ciphertext)},
                              {"kdf", "scrypt"},
                              {"kdfparams", params},
                              {"mac", to_hex(file.mac)}};
    const json::object whole{
        {"version", 3}, {"id", id.to_string()}, {"address", file.address->to_lower().substr(2)}, {"crypto", crypto}};
    return json::serialize(whole) + "\n";
}

}  // namespace fencepost::signers

#include "domain/intent.hpp"

#include "base/crypto/keccak.hpp"

namespace fencepost {
namespace {

// Every field is prefixed with its length or presence, so that no two intents have the same encoding.
class Canonical {
public:
    void add(std::uint64_t number) {
        for (int shift = 56; shift >= 0; shift -= 8)
            bytes_.push_back(static_cast<std::uint8_t>(number >> shift));
    }
    void add(ByteView bytes) {
        add(bytes.size());
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
    void add(const Wei& wei) { add(ByteView(wei.value().to_big_endian())); }
    void add(const Gas& gas) { add(gas.value()); }
    void add(const UnixTime& time) { add(static_cast<std::uint64_t>(time.time_since_epoch().count())); }
    void add(const std::string& text) { add(as_bytes(text)); }
    void add(Speed speed) { add(static_cast<std::uint64_t>(speed)); }
    void add(const LegacyFee& fee) { add(fee.gas_price); }
    void add(const DynamicFee& fee) {
        add(fee.max_fee);
        add(fee.max_priority_fee);
    }
    template <typename T>
    void add(const std::optional<T>& value) {
        add(std::uint64_t{value.has_value()});
        if (value) add(*value);
    }
    template <typename... Ts>
    void add(const std::variant<Ts...>& value) {
        add(std::uint64_t{value.index()});
        std::visit([this](const auto& alternative) { this->add(alternative); }, value);
    }

    [[nodiscard]] ByteView bytes() const { return bytes_; }

private:
    Bytes bytes_;
};

}  // namespace

Fingerprint fingerprint(const Intent& intent) {
    Canonical canonical;
    canonical.add(intent.to);
    canonical.add(intent.value);
    canonical.add(ByteView(intent.data));
    canonical.add(intent.gas_limit);
    canonical.add(intent.fee);
    canonical.add(intent.valid_until);
    return keccak256(canonical.bytes());
}

}  // namespace fencepost

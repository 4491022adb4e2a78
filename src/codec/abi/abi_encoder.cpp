// Head and tail layout of ABI arguments, with errors that name the argument.
#include "codec/abi/abi_encoder.hpp"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "codec/abi/abi_value.hpp"
#include "codec/excerpt.hpp"

namespace fencepost::codec {
namespace {

namespace json = boost::json;

/// RFC 6901 gives two characters a special meaning.
std::string escaped(std::string_view key) {
    std::string text;
    for (const char c : key) {
        if (c == '~') {
            text += "~0";
        } else if (c == '/') {
            text += "~1";
        } else {
            text += c;
        }
    }
    return text;
}

}  // namespace

Result<Bytes, AbiError> AbiEncoder::encode(std::span<const AbiType> parameters, const json::array& values) && {
    Items items;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        items.push_back({&parameters[i], &values[i], std::to_string(i)});
    if (auto done = sequence(items); !done) return err(std::move(done.error()));
    if (out_.size() > max_size_) return too_large();
    return std::move(out_);
}

// Offsets count from the start of the sequence and are filled in when their values are written.
Status<AbiError> AbiEncoder::sequence(const Items& items) {
    const std::size_t start = out_.size();
    std::vector<std::pair<std::size_t, const Item*>> later;
    for (const auto& item : items) {
        if (is_dynamic(*item.type)) {
            later.emplace_back(out_.size(), &item);
            out_.resize(out_.size() + abi_word);
        } else if (auto done = one(item); !done) {
            return done;
        }
    }
    for (const auto& [place, item] : later) {
        const auto offset = abi_word_of(out_.size() - start);
        std::ranges::copy(offset, out_.begin() + static_cast<std::ptrdiff_t>(place));
        if (auto done = one(*item); !done) return done;
    }
    return {};
}

Status<AbiError> AbiEncoder::one(const Item& item) {
    if (out_.size() > max_size_) return too_large();
    path_.push_back(&item);
    auto done = by_kind(*item.type, *item.value);
    path_.pop_back();
    return done;
}

Status<AbiError> AbiEncoder::by_kind(const AbiType& type, const json::value& value) {
    if (type.kind == AbiType::Kind::tuple) return tuple(type, value);
    if (type.kind == AbiType::Kind::array || type.kind == AbiType::Kind::fixed_array) return array(type, value);
    const auto encoded = encode_abi_value(type, value);
    if (!encoded) return refuse(encoded.error().what);
    bytes(*encoded);
    return {};
}

Status<AbiError> AbiEncoder::array(const AbiType& type, const json::value& value) {
    const auto* elements = value.if_array();
    if (elements == nullptr) return refuse(fmt::format("an array is expected, not {}", kind_in_words(value)));
    if (type.kind == AbiType::Kind::array) {
        bytes(abi_word_of(elements->size()));
    } else if (elements->size() != type.size) {
        return refuse(fmt::format("{} elements are expected, not {}", type.size, elements->size()));
    }
    if (elements->size() > max_size_ / abi_word) return too_large();  // each takes at least one word

    Items items;
    items.reserve(elements->size());
    for (const auto& element : *elements)
        items.push_back({&type.inner.front(), &element, std::to_string(items.size())});
    return sequence(items);
}

Status<AbiError> AbiEncoder::tuple(const AbiType& type, const json::value& value) {
    if (const auto* fields = value.if_object()) return tuple_by_name(type, *fields);
    const auto* components = value.if_array();
    if (components == nullptr) {
        return refuse(fmt::format("an array or an object is expected, not {}", kind_in_words(value)));
    }
    if (components->size() != type.inner.size()) {
        return refuse(fmt::format("{} components are expected, not {}", type.inner.size(), components->size()));
    }
    Items items;
    for (std::size_t i = 0; i < components->size(); ++i)
        items.push_back({&type.inner[i], &(*components)[i], std::to_string(i)});
    return sequence(items);
}

Status<AbiError> AbiEncoder::tuple_by_name(const AbiType& type, const json::object& fields) {
    Items items;
    for (const auto& component : type.inner) {
        if (component.name.empty()) return refuse("the signature does not name all components: give them as an array");
        const auto* value = fields.if_contains(component.name);
        if (value == nullptr) return refuse(fmt::format("\"{}\" is missing", excerpt_of(component.name)));
        items.push_back({&component, value, component.name});
    }
    for (const auto& field : fields) {
        if (std::ranges::find(type.inner, std::string_view(field.key()), &AbiType::name) == type.inner.end()) {
            return refuse(fmt::format("there is no component \"{}\"", excerpt_of(field.key())));
        }
    }
    if (fields.size() != items.size()) return refuse("two components have one name: give them as an array");
    return sequence(items);
}

// "argument 2 (amount: uint8): 300 does not fit"; inside an argument with its path: "…, at /3/to (address): …".
std::unexpected<AbiError> AbiEncoder::refuse(const std::string& why) const {
    std::string pointer;
    for (const auto* step : path_)
        pointer += "/" + escaped(step->key);
    const auto& argument = *path_.front();
    const auto name = argument.type->name.empty() ? "" : excerpt_of(argument.type->name) + ": ";
    auto place =
        fmt::format("argument {} ({}{})", std::stoul(argument.key) + 1, name, excerpt_of(canonical(*argument.type)));
    if (path_.size() > 1) {
        const auto inside = std::string_view(pointer).substr(pointer.find('/', 1));
        place += fmt::format(", at {} ({})", excerpt_of(inside), excerpt_of(canonical(*path_.back()->type)));
    }
    return err(AbiError{AbiError::Kind::arguments, std::move(pointer), fmt::format("{}: {}", place, why)});
}

std::unexpected<AbiError> AbiEncoder::too_large() const {
    return err(AbiError{AbiError::Kind::too_large, "", fmt::format("the call exceeds {} bytes", max_size_)});
}

}  // namespace fencepost::codec

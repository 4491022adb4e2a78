#include "config/reference.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/keys/keys.hpp"

namespace fencepost::config {
namespace {

struct Chapter {
    std::string_view title;
    std::string_view prefix;
    std::string_view introduction;
    std::vector<KeyInfo> keys;
};

template <typename Owner>
Chapter chapter(std::string_view title, std::string_view prefix, std::string_view introduction,
                const Keys<Owner>& keys) {
    return {.title = title, .prefix = prefix, .introduction = introduction, .keys = {keys.begin(), keys.end()}};
}

std::vector<Chapter> chapters() {
    auto signers = chapter("Signers", "signers.NAME.",
                           "Who holds the private keys. Which keys count depends on the kind.", signer_identity_keys());
    signers.keys.insert(signers.keys.end(), signer_keys().begin(), signer_keys().end());
    return {
        chapter("The service", "", "At the top.", service_keys()),
        chapter("Transactions", "",
                "At the top, for all; in chains.NAME, for a chain; in submitters.NAME, for one submitter.",
                lane_keys()),
        chapter("How chains are read", "", "At the top, for all; in chains.NAME, for one.", chain_keys()),
        chapter("Chains", "chains.NAME.", "A chain has an id and at least one endpoint.", chain_identity_keys()),
        chapter("Endpoints", "chains.NAME.endpoints.NAME.",
                "What is sent goes to all of them; what is read, to the best.", endpoint_keys()),
        chapter("Submitters", "submitters.NAME.",
                "Only those that are run otherwise than the others of their chain need an entry.",
                submitter_identity_keys()),
        std::move(signers),
    };
}

constexpr std::string_view introduction = R"(# Configuration

<!-- Made by "fencepost config reference --markdown". Do not edit: change src/config and make it again. -->

One YAML file (`--config FILE`, or `FENCEPOST_CONFIG`), and every key of it also as a flag and as a variable:

| where | how `confirmations.required` is written |
|---|---|
| flag | `--confirmations.required 12` |
| variable | `FENCEPOST_CONFIRMATIONS_REQUIRED=12` |
| file | `confirmations: {required: 12}`, or `confirmations.required: 12` |

A flag goes before a variable, a variable before the file, the file before the default. What is set for a submitter
goes before what is set for its chain, and that before what is set at the top, wherever each of them was set. In a
variable's name a word inside a key gets its underscore: `lease.renewInterval` is `FENCEPOST_LEASE_RENEW_INTERVAL`, and
`chains.base-sepolia.id` is `FENCEPOST_CHAINS_BASE_SEPOLIA_ID`. Where a chain, a submitter or a signer is set by
variables alone, its name is one word.

`fencepost config check` reports all problems at once, each in a line, and ends with 2 if there are any. `fencepost
config print` shows what is in force and where it came from, without secrets. A key that there is not is refused, with
the name that was probably meant.

- **Durations** are a whole number and `ms`, `s`, `m`, `h` or `d`: `500ms`, `10s`, `5m`.
- **Amounts** are wei, or a number and `gwei` or `ether`: `50 gwei`, `0.5 gwei`.
- **Sizes** are bytes, or a whole number and `KiB`, `MiB` or `GiB`.
- **Lists** are YAML lists; in a flag or a variable, texts with commas between them.
- **Names** of chains, endpoints, submitters and signers are small letters, digits and dashes.
- **`${NAME}`** in a value of the file is the environment variable of that name, which must be set; `$$` is a dollar
  sign.
- Anchors, aliases, tags and a key given twice are refused.

```yaml
database.url: postgresql://fencepost:${DATABASE_PASSWORD}@db/fencepost
confirmations.required: 12
chains:
  main:
    id: 1
    endpoints:
      own: {url: "http://10.0.0.5:8545", webSocket: "ws://10.0.0.5:8546"}
      provider: {url: "https://example.com/v1/${PROVIDER_KEY}"}
    fees: {cap: 200 gwei, fillerCap: 250 gwei}
signers:
  files: {kind: keystore, folder: keys, passwordFile: /run/secrets/keys}
submitters:
  treasury:
    account: "eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
    nonce.window: 1
    confirmations.finality: finalized
```
)";

std::string type_of(const KeyInfo& key) {
    return key.bounds.empty() ? key.type : fmt::format("{}: {}", key.type, key.bounds);
}

std::string standard_of(const KeyInfo& key) { return fmt::format("{}", fmt::join(key.standard, ", ")); }

std::string markdown_of(const Chapter& chapter) {
    std::string out = fmt::format("\n## {}\n\n{}\n\n| key | takes | default | what it is |\n|---|---|---|---|\n",
                                  chapter.title, chapter.introduction);
    for (const auto& key : chapter.keys) {
        const auto standard = standard_of(key);
        out += fmt::format("| `{}{}` | {} | {} | {}{} |\n", chapter.prefix, key.name, type_of(key),
                           standard.empty() ? "" : fmt::format("`{}`", standard), key.explanation,
                           key.secret ? " *Secret.*" : "");
    }
    return out;
}

std::string text_of(const Chapter& chapter) {
    std::string out = fmt::format("{}. {}\n\n", chapter.title, chapter.introduction);
    for (const auto& key : chapter.keys) {
        const auto standard = standard_of(key);
        out += fmt::format("  {}{}  ({}{}{})\n      {}\n", chapter.prefix, key.name, type_of(key),
                           standard.empty() ? "" : fmt::format("; default {}", standard), key.secret ? "; secret" : "",
                           key.explanation);
    }
    return out + "\n";
}

}  // namespace

std::string reference_text() {
    std::string out;
    for (const auto& chapter : chapters())
        out += text_of(chapter);
    return out;
}

std::string reference_markdown() {
    std::string out(introduction);
    for (const auto& chapter : chapters())
        out += markdown_of(chapter);
    return out;
}

}  // namespace fencepost::config

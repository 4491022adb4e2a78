// Keys are wiped when they are destroyed: searches the memory of this process for them.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "signers/key_file.hpp"
#include "signers/local_signer.hpp"
#include "signers/test_transactions.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::signers {
namespace {

constexpr std::uint8_t mask = 0xa5;

/// The needle, masked so that the search does not find itself.
Bytes masked(ByteView secret) {
    Bytes result = to_bytes(secret);
    for (auto& byte : result)
        byte ^= mask;
    return result;
}

bool tx_position(const std::uint8_t* memory, const Bytes& wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if ((memory[i] ^ mask) != wanted[i]) return false;
    }
    return true;
}

/// Number of occurrences in the heap and in this thread's stack.
int copies_in_memory(const Bytes& wanted) {
    std::ifstream maps("/proc/self/maps");
    int copies = 0;
    for (std::string line; std::getline(maps, line);) {
        if (!line.contains("[heap]") && !line.contains("[stack]")) continue;
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        char dash = 0;
        std::istringstream(line) >> std::hex >> begin >> dash >> end;
        const auto* const memory = reinterpret_cast<const std::uint8_t*>(begin);  // NOLINT
        for (std::size_t at = 0; at + wanted.size() <= end - begin; ++at)
            copies += tx_position(memory + at, wanted) ? 1 : 0;
    }
    return copies;
}

TEST(MemoryOfKeys, HoldsNoKeyAfterDestruction) {
    const test::TempFolder folder;
    const std::string password = "sesame, for a memory";
    Bytes needle;
    {
        const auto key = generate_key();
        needle = masked(key.expose_secret());
        EXPECT_GT(copies_in_memory(needle), 0);  // the search finds an existing key
        ASSERT_TRUE(write_key_file(folder.path() / "keys", key, Secret(password), ScryptCost::weak()));
    }
    {
        LocalSigner signer(load_keystore_folder(folder.path() / "keys", Secret(password)));
        EXPECT_GT(copies_in_memory(needle), 0);
        const auto address = list_key_files(folder.path() / "keys")->front().address.value();
        ASSERT_TRUE(run(signer.sign(dynamic_transaction(address))));
    }
    EXPECT_EQ(copies_in_memory(needle), 0);
}

}  // namespace
}  // namespace fencepost::signers

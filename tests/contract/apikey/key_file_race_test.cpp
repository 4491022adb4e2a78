// Concurrent edits of the API key file, as by two administrators.
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/auth/key_file.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::api {
namespace {

Status<std::string> add(const std::filesystem::path& path, const ApiKey& key) {
    return edit_key_file(path, [&key](ApiKeys& keys) {
        keys.push_back(key);
        return Status<std::string>{};
    });
}

ApiKey numbered(int number) {
    ApiKey key;
    key.name = fmt::format("key-{}", number);
    key.hash = hash_of_api_key(key.name);
    return key;
}

TEST(KeyFileOnDisk, ConcurrentEditsDoNotOverwriteEachOther) {
    const test::TempFolder folder;
    const auto path = folder.path() / "keys.yaml";
    constexpr int writers = 4;
    constexpr int each = 10;
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < writers; ++writer) {
        threads.emplace_back([writer, &path] {
            for (int i = 0; i < each; ++i)
                EXPECT_TRUE(add(path, numbered(writer * each + i)));
        });
    }
    threads.clear();
    EXPECT_EQ(read_key_file(path).value().size(), static_cast<std::size_t>(writers * each));
}

}  // namespace
}  // namespace fencepost::api

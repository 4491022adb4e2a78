// Key files written by ethers open here, and ours open there.
#include <stdexcept>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "signers/key_file.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::signers {
namespace {

namespace json = boost::json;
using test::TempFolder;

const std::string keystore_password = "correct horse battery staple";

json::object ask_ethers(const TempFolder& folder, const std::vector<std::string>& arguments) {
    const auto output = (folder.path() / "output").string();
    std::vector<std::string> command{"/usr/bin/env", "node", FENCEPOST_SOURCE_DIR "/tests/node/keystore.mjs"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    test::ChildProcess node(command, {.log = output});
    const int code = node.wait();
    const auto text = test::text_of(output);
    std::filesystem::remove(output);
    if (code != 0) throw std::runtime_error(text);
    return json::parse(text).as_object();
}

TEST(KeystoreOfEthers, OpensHere) {
    const TempFolder folder;
    const TempFolder keys;
    const auto password_file = folder.write("password", keystore_password + "\n").string();
    const auto made = ask_ethers(folder, {"make", keys.path().string(), password_file});
    ASSERT_EQ(made.size(), 12);
    for (const auto& [path, key] : made) {
        const auto opened = read_key_file(std::string(path), Secret(keystore_password));
        ASSERT_TRUE(opened) << opened.error();
        EXPECT_EQ(to_hex_prefixed(opened->expose_secret()), std::string_view(key.as_string()));
    }
    EXPECT_EQ(load_keystore_folder(keys.path(), Secret(keystore_password)).size(), made.size());
}

TEST(OurKeystore, OpensInEthers) {
    const TempFolder folder;
    const auto password_file = folder.write("password", keystore_password + "\n").string();
    std::vector<std::string> arguments{"open", password_file};
    std::map<std::string, std::string> expected;
    for (int i = 0; i < 10; ++i) {
        const auto key = generate_key();
        const auto cost = i == 0 ? ScryptCost{} : ScryptCost::weak();
        const auto path = write_key_file(folder.path() / "keys", key, Secret(keystore_password), cost).value().string();
        arguments.push_back(path);
        expected[path] = key.address().to_checksum() + " " + to_hex_prefixed(key.expose_secret());
    }
    std::map<std::string, std::string> opened;
    for (const auto& [path, key] : ask_ethers(folder, arguments)) {
        const auto& entry = key.as_object();
        opened[path] = std::string(entry.at("address").as_string()) + " " + std::string(entry.at("key").as_string());
    }
    EXPECT_EQ(opened, expected);
}

}  // namespace
}  // namespace fencepost::signers

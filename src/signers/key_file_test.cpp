// Writing, listing and loading of key files.
#include "signers/key_file.hpp"

#include <fstream>
#include <stdlib.h>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/startup_error.hpp"
#include "signers/secret_file.hpp"
#include "signers/test_transactions.hpp"

namespace fencepost::signers {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

struct KeyFileTest : testing::Test {
    KeyFileTest() {
        std::string name = (fs::temp_directory_path() / "fencepost-keys-XXXXXX").string();
        root = ::mkdtemp(name.data());
        folder = root / "keys";
    }
    ~KeyFileTest() override { fs::remove_all(root); }

    fs::path add(std::string_view hex, std::string_view password = "open sesame") const {
        return write_key_file(folder, key_of(hex), Secret(password), ScryptCost::weak()).value();
    }
    static void write(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }
    std::string start_error(const Passwords& passwords) const {
        try {
            (void)load_keystore_folder(folder, passwords);
        } catch (const StartupError& error) {
            return error.what();
        }
        return "loaded";
    }

    fs::path root;
    fs::path folder;
};

unsigned mode_of(const fs::path& path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 0777U;
}

TEST_F(KeyFileTest, IsReadableByOwnerOnly) {
    const auto path = add(test_key);
    EXPECT_EQ(path, folder / (key_of(test_key).address().to_lower() + ".json"));
    EXPECT_EQ(mode_of(path), 0600);
    EXPECT_EQ(mode_of(folder), 0700);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);  // no temporary file is left
    const auto key = read_key_file(path, Secret("open sesame"));
    ASSERT_TRUE(key) << key.error();
    EXPECT_EQ(key->address(), key_of(test_key).address());
}

TEST_F(KeyFileTest, IsNeverOverwritten) {
    const auto path = add(test_key);
    const auto before = fs::last_write_time(path);
    const auto again = write_key_file(folder, key_of(test_key), Secret("another"), ScryptCost::weak());
    EXPECT_THAT(again.error(), AllOf(HasSubstr("holds the key of 0xf39F"), HasSubstr("left unchanged")));
    fs::rename(path, folder / "UTC--2026-11-16T00-00-00.0Z--f39f");
    EXPECT_THAT(write_key_file(folder, key_of(test_key), Secret("x"), ScryptCost::weak()).error(),
                HasSubstr("UTC--2026-11-16T00-00-00.0Z--f39f already holds the key"));
    fs::rename(folder / "UTC--2026-11-16T00-00-00.0Z--f39f", path);
    EXPECT_EQ(fs::last_write_time(path), before);
    EXPECT_TRUE(read_key_file(path, Secret("open sesame")));
}

TEST_F(KeyFileTest, RequiresPasswordAndFolder) {
    EXPECT_EQ(write_key_file(folder, key_of(test_key), Secret(), ScryptCost::weak()).error(), "the password is empty");
    EXPECT_THAT(write_key_file(root / "no/such", key_of(test_key), Secret("x"), ScryptCost::weak()).error(),
                HasSubstr("no/such cannot be made: No such file"));
}

TEST_F(KeyFileTest, ErrorsNameFileAndCause) {
    const auto path = add(test_key);
    EXPECT_EQ(read_key_file(path, Secret("x")).error(),
              "the key file " + path.string() + " cannot be used: the password is wrong (or the file was changed)");
    write(root / "text", "no JSON");
    EXPECT_EQ(read_key_file(root / "text", Secret("x")).error(),
              "the key file " + (root / "text").string() + " is damaged: it is not a JSON object");
    EXPECT_THAT(read_key_file(root / "none", Secret("x")).error(), HasSubstr("none cannot be read: No such file"));
    EXPECT_THAT(read_key_file(root, Secret("x")).error(), HasSubstr("cannot be read: Is a directory"));
    write(root / "big", std::string(100'000, ' '));
    EXPECT_THAT(read_key_file(root / "big", Secret("x")).error(), HasSubstr("big is not a key file"));
}

TEST_F(KeyFileTest, ListsWithoutPassword) {
    const auto first = add(test_key);
    const auto second = add(other_test_key);
    write(folder / "x.password", "ignored");
    write(folder / ".hidden", "ignored");
    const auto keys = list_key_files(folder);
    ASSERT_TRUE(keys) << keys.error();
    ASSERT_EQ(keys->size(), 2);
    EXPECT_EQ(keys->at(0).path, second);
    EXPECT_EQ(keys->at(1).address, key_of(test_key).address());
    write(folder / "zzz", "{}");
    EXPECT_THAT(list_key_files(folder).error(), HasSubstr("zzz is damaged: its field \"version\" is missing"));
    EXPECT_THAT(list_key_files(root / "none").error(), HasSubstr("none cannot be read"));
}

TEST_F(KeyFileTest, LoadsWithSharedPassword) {
    add(test_key);
    add(other_test_key);
    const auto keys = load_keystore_folder(folder, Secret("open sesame"));
    ASSERT_EQ(keys.size(), 2);
    EXPECT_EQ(keys[1].address(), key_of(test_key).address());
    EXPECT_THAT(start_error(Secret("wrong")), HasSubstr("the password is wrong"));
}

TEST_F(KeyFileTest, LoadsWithIndividualPassword) {
    const auto path = add(test_key, "one");
    fs::rename(add(other_test_key, "two"), folder / "UTC--1.5Z--7099");
    auto password = path;
    write(password.replace_extension(".password"), "one\n");
    EXPECT_THAT(start_error(PasswordFolder{folder}), HasSubstr("UTC--1.5Z--7099.password cannot be read"));
    write(folder / "UTC--1.5Z--7099.password", "two\r\n");
    EXPECT_EQ(load_keystore_folder(folder, PasswordFolder{folder}).size(), 2);
}

TEST_F(KeyFileTest, MissingKeyFilesFailStartup) {
    EXPECT_THAT(start_error(Secret("x")), HasSubstr("cannot be read"));
    fs::create_directory(folder);
    EXPECT_THAT(start_error(Secret("x")), HasSubstr("there is no key file in"));
}

TEST_F(KeyFileTest, StripsNewlineFromPassword) {
    const auto text_of = [this](std::string_view text) {
        write(root / "password", text);
        return std::string(read_secret_file(root / "password")->expose());
    };
    EXPECT_EQ(text_of("a b"), "a b");
    EXPECT_EQ(text_of("a b\n"), "a b");
    EXPECT_EQ(text_of("a b\r\n"), "a b");
    EXPECT_EQ(text_of("a b \n\n"), "a b \n");
    write(root / "password", "\n");
    EXPECT_THAT(read_secret_file(root / "password").error(), HasSubstr("password is empty"));
    write(root / "password", std::string(5000, 'x'));
    EXPECT_THAT(read_secret_file(root / "password").error(), HasSubstr("longer than 4096 bytes"));
    EXPECT_THAT(read_secret_file(root).error(), HasSubstr("cannot be read: Is a directory"));
}

}  // namespace
}  // namespace fencepost::signers

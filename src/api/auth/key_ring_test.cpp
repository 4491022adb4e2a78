#include "api/auth/key_ring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/auth/test_keys.hpp"
#include "base/startup_error.hpp"

namespace fencepost::api {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class KeyRingTest : public ::testing::Test {
protected:
    void later() {
        clock.now += 1s;
        ring.refresh();
    }

    KeyFile file{{KeyFile::key("shop"), KeyFile::key("bank", Scope::admin)}};
    ManualClock clock;
    RecordingLog log;
    KeyRing ring{file.path(), clock, log};
};

TEST_F(KeyRingTest, FindsAKeyByItsFullText) {
    ASSERT_NE(ring.find("shop-key"), nullptr);
    EXPECT_EQ(ring.find("shop-key")->name, "shop");
    EXPECT_EQ(ring.find("bank-key")->scope, Scope::admin);
    for (const auto* const wrong : {"", "shop-ke", "shop-key ", "SHOP-KEY", "shop"})
        EXPECT_EQ(ring.find(wrong), nullptr) << wrong;
    EXPECT_THAT(log.lines, IsEmpty());
}

TEST_F(KeyRingTest, ReloadsAChangedFileWithinASecond) {
    file.write(format_key_file({KeyFile::key("bank"), KeyFile::key("new")}));
    ring.refresh();
    EXPECT_NE(ring.find("shop-key"), nullptr) << "it looks at the file with every request";
    later();
    EXPECT_EQ(ring.find("shop-key"), nullptr);
    EXPECT_NE(ring.find("new-key"), nullptr);
    EXPECT_EQ(ring.find("bank-key")->scope, Scope::read);
    EXPECT_THAT(log.lines, ElementsAre(HasSubstr("info: API keys reloaded")));
    later();
    EXPECT_EQ(log.lines.size(), 1U) << "a file that did not change is read again";
}

TEST_F(KeyRingTest, KeepsKeysAndWarnsOnceOfAnInvalidFile) {
    file.write("keys: {");
    later();
    later();
    EXPECT_NE(ring.find("shop-key"), nullptr);
    EXPECT_THAT(log.lines, ElementsAre(HasSubstr("warning: API key file cannot be used")));
    file.write(format_key_file({}));
    later();
    EXPECT_EQ(ring.find("shop-key"), nullptr);
}

TEST_F(KeyRingTest, KeepsKeysWhileTheFileIsMissing) {
    std::filesystem::remove(file.path());
    later();
    EXPECT_NE(ring.find("shop-key"), nullptr);
    EXPECT_THAT(log.lines, ElementsAre(HasSubstr("the file is missing")));
    file.write(format_key_file({KeyFile::key("new")}));
    later();
    EXPECT_NE(ring.find("new-key"), nullptr);
}

TEST_F(KeyRingTest, WarnsOfAWorldReadableFileAndRejectsAWorldWritableOne) {
    ::chmod(file.path().c_str(), 0644);
    const KeyRing readable(file.path(), clock, log);
    EXPECT_THAT(log.lines, ElementsAre(HasSubstr("API key file is readable by all users")));
    ::chmod(file.path().c_str(), 0666);
    EXPECT_THROW(KeyRing(file.path(), clock, log), StartupError);
}

TEST_F(KeyRingTest, RejectsAnUnusableFileAtStart) {
    EXPECT_THROW(KeyRing("/no/such/keys.yaml", clock, log), StartupError);
    file.write("nothing");
    EXPECT_THROW(KeyRing(file.path(), clock, log), StartupError);
}

}  // namespace
}  // namespace fencepost::api

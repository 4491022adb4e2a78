#include "devchain/journal.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "base/startup_error.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::devchain {
namespace {

using fencepost::test::TempFolder;
using fencepost::test::text_of;

const Genesis written_genesis{.chain_id = 5, .at = UnixTime(std::chrono::microseconds(7))};
const Operation first_operation = Funded{Address{{{1}}}, 10};
const Operation second_operation = Evicted{TxHash{{2}}};

class DevChainJournal : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "chain.log"; }
    [[nodiscard]] std::string why_not() const {
        try {
            const Journal journal(file(), written_genesis);
        } catch (const StartupError& error) {
            return error.what();
        }
        return "";
    }
    void write_two() const {
        Journal journal(file(), written_genesis);
        journal.append(first_operation);
        journal.append(second_operation);
        journal.sync();
        EXPECT_EQ(journal.failure(), std::nullopt);
    }

    TempFolder folder_;
};

TEST_F(DevChainJournal, ContinuesAnExistingJournal) {
    write_two();
    Journal again(file(), Genesis{.chain_id = 6, .at = {}});
    EXPECT_EQ(again.genesis(), written_genesis);
    EXPECT_EQ(again.take_history(), (std::vector{first_operation, second_operation}));
}

TEST_F(DevChainJournal, DropsAnIncompleteLastLine) {
    write_two();
    const auto whole = text_of(file());
    for (auto size = whole.size() - 1; size > whole.size() - to_line(second_operation).size(); --size) {
        folder_.write("chain.log", whole.substr(0, size));
        Journal torn(file(), written_genesis);
        EXPECT_EQ(torn.take_history(), std::vector{first_operation});
        torn.append(second_operation);
        EXPECT_EQ(text_of(file()), whole) << "the next line must start on its own";
    }
}

TEST_F(DevChainJournal, TreatsAnIncompleteFirstLineAsANewFile) {
    folder_.write("chain.log", "fencepost-dev");
    Journal journal(file(), written_genesis);
    EXPECT_EQ(journal.genesis(), written_genesis);
    EXPECT_EQ(text_of(file()), to_line(written_genesis) + "\n");
}

TEST_F(DevChainJournal, LocksTheFileForOneProcess) {
    const Journal journal(file(), written_genesis);
    EXPECT_TRUE(why_not().starts_with("another development chain runs on ")) << why_not();
}

TEST_F(DevChainJournal, NamesTheDamagedLine) {
    folder_.write("chain.log", to_line(written_genesis) + "\nnonsense\n" + to_line(first_operation) + "\n");
    EXPECT_TRUE(why_not().contains("chain.log, line 2: the line is damaged; move the file away")) << why_not();
    folder_.write("chain.log", "some notes\n");
    EXPECT_TRUE(why_not().contains("line 1: not a file of a development chain")) << why_not();
    EXPECT_EQ(text_of(file()), "some notes\n") << "the other file was changed";
}

TEST_F(DevChainJournal, ReportsAFileThatCannotBeOpened) {
    std::filesystem::create_directory(file());
    EXPECT_TRUE(why_not().contains("cannot be opened: Is a directory")) << why_not();
}

}  // namespace
}  // namespace fencepost::devchain

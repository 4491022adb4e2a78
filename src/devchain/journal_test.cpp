#include "devchain/journal.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "base/startup_error.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::devchain {
namespace {

const Genesis genesis{.chain_id = 5, .at = UnixTime(std::chrono::microseconds(7))};
const Operation first = Funded{Address{{{1}}}, 10};
const Operation second = Evicted{TxHash{{2}}};

class DevChainJournal : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "chain.log"; }
    [[nodiscard]] std::string why_not() const {
        try {
            const Journal journal(file(), genesis);
        } catch (const StartupError& error) {
            return error.what();
        }
        return "";
    }
    void write_two() const {
        Journal journal(file(), genesis);
        journal.append(first);
        journal.append(second);
        journal.sync();
        EXPECT_EQ(journal.failure(), std::nullopt);
    }

    test::TempFolder folder_;
};

TEST_F(DevChainJournal, GoesOnWhereItWas) {
    write_two();
    Journal again(file(), Genesis{.chain_id = 6, .at = {}});
    EXPECT_EQ(again.genesis(), genesis);
    EXPECT_EQ(again.take_history(), (std::vector{first, second}));
}

TEST_F(DevChainJournal, DropsATornLastLineWhereverItIsTorn) {
    write_two();
    const auto whole = test::text_of(file());
    for (auto size = whole.size() - 1; size > whole.size() - to_line(second).size(); --size) {
        folder_.write("chain.log", whole.substr(0, size));
        Journal torn(file(), genesis);
        EXPECT_EQ(torn.take_history(), std::vector{first});
        torn.append(second);
        EXPECT_EQ(test::text_of(file()), whole) << "what comes next does not begin a line of its own";
    }
}

TEST_F(DevChainJournal, AFileThatWasTornBeforeItsFirstLineEndedIsANewOne) {
    folder_.write("chain.log", "fencepost-dev");
    Journal journal(file(), genesis);
    EXPECT_EQ(journal.genesis(), genesis);
    EXPECT_EQ(test::text_of(file()), to_line(genesis) + "\n");
}

TEST_F(DevChainJournal, BelongsToOneProcessAtATime) {
    const Journal journal(file(), genesis);
    EXPECT_TRUE(why_not().starts_with("another development chain runs on ")) << why_not();
}

TEST_F(DevChainJournal, SaysWhichLineItCannotRead) {
    folder_.write("chain.log", to_line(genesis) + "\nnonsense\n" + to_line(first) + "\n");
    EXPECT_TRUE(why_not().contains("chain.log, line 2: it is damaged; move the file away")) << why_not();
    folder_.write("chain.log", "some notes\n");
    EXPECT_TRUE(why_not().contains("line 1: it is no file of a development chain")) << why_not();
    EXPECT_EQ(test::text_of(file()), "some notes\n") << "another's file was changed";
}

TEST_F(DevChainJournal, WhatCannotBeOpenedIsSaid) {
    std::filesystem::create_directory(file());
    EXPECT_TRUE(why_not().contains("cannot be opened: Is a directory")) << why_not();
}

}  // namespace
}  // namespace fencepost::devchain

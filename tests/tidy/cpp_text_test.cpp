#include "cpp_text.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost::tidy {
namespace {

TEST(CppText, BlanksLineComments) {
    EXPECT_EQ(code_only("a; // rand()\nb;"), "a;          \nb;");
    EXPECT_EQ(code_only("// goes \\\non\nb"), "         \n  \nb");
    EXPECT_EQ(code_only("a //"), "a   ");
}

TEST(CppText, BlanksBlockCommentsAndKeepsTheirLines) {
    EXPECT_EQ(code_only("a/* x\ny */b"), "a    \n    b");
    EXPECT_EQ(code_only("/*/ x */a"), "        a");
    EXPECT_EQ(code_only("a /* never closed"), "a                ");
}

TEST(CppText, BlanksStringsWithEscapes) {
    EXPECT_EQ(code_only(R"-(f("rand()");)-"), R"-(f("      ");)-");
    EXPECT_EQ(code_only(R"-(f("a\"b") + c)-"), R"-(f("    ") + c)-");
    EXPECT_EQ(code_only(R"-(f("a\\") + c)-"), R"-(f("   ") + c)-");
    EXPECT_EQ(code_only(R"("//" + a)"), R"("  " + a)");
}

TEST(CppText, BlanksCharactersButNotDigitSeparators) {
    EXPECT_EQ(code_only(R"(c == '"' && rand())"), R"(c == ' ' && rand())");
    EXPECT_EQ(code_only(R"(c == '\'' && rand())"), R"(c == '  ' && rand())");
    EXPECT_EQ(code_only("1'000 + rand() + 0xff'ff"), "1'000 + rand() + 0xff'ff");
    EXPECT_EQ(code_only("u8'a' + L'b'"), "u8' ' + L' '");
}

TEST(CppText, BlanksRawStringsUpToTheirOwnDelimiter) {
    EXPECT_EQ(code_only("R\"(a\" b)\" + c"), "R\"      \" + c");
    EXPECT_EQ(code_only("R\"x(a)\" b)x\" + c"), "R\"         \" + c");
    EXPECT_EQ(code_only("u8R\"(a\n)\" + c"), "u8R\"  \n \" + c");
    EXPECT_EQ(code_only("R\"(never closed"), "R\"             ");
}

TEST(CppText, DoesNotTakeAWordEndingInRForARawString) {
    EXPECT_EQ(code_only("FOOR\"(a\" + rand()"), "FOOR\"  \" + rand()");
}

TEST(CppText, EndsAStrayQuoteWithItsLine) { EXPECT_EQ(code_only("#error don't\nrand()"), "#error don' \nrand()"); }

TEST(CppText, KeepsLiteralsWhenRemovingComments) {
    EXPECT_EQ(without_comments("#include \"a//b.hpp\"  // why"), "#include \"a//b.hpp\"        ");
    EXPECT_EQ(without_comments("R\"(// no comment)\" // one"), "R\"(// no comment)\"       ");
}

// Offsets and lines must stay for any text, otherwise a finding would name the wrong place.
RC_GTEST_PROP(CppTextProperty, KeepsLengthAndLines, ()) {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("R\"'()/*\\\n1a ")));
    for (const auto& blanked : {code_only(text), without_comments(text)}) {
        RC_ASSERT(blanked.size() == text.size());
        for (std::size_t i = 0; i < text.size(); ++i)
            RC_ASSERT((blanked[i] == '\n') == (text[i] == '\n'));
    }
}

}  // namespace
}  // namespace fencepost::tidy

// script/lint checks this file to verify that clang-tidy still reports findings when its plugin is loaded.
#include <string>

namespace {

int WrongName(const std::string& text) { return static_cast<int>(text.size()); }

}  // namespace

int main() { return WrongName("sample"); }

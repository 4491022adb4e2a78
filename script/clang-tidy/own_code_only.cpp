// A clang plugin for script/lint: limits clang-tidy to this project's declarations, and skips those of Boost and of the
// standard library, whose findings cannot be fixed here. clangd does the same.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <memory>
#include <string>
#include <vector>

namespace {

class OwnCodeOnly : public clang::ASTConsumer {
    void HandleTranslationUnit(clang::ASTContext& context) override {
        const clang::SourceManager& sources = context.getSourceManager();
        std::vector<clang::Decl*> own;
        // Does not load declarations from a precompiled header: those all belong to libraries.
        for (clang::Decl* declaration : context.getTranslationUnitDecl()->noload_decls()) {
            const clang::SourceLocation place = sources.getExpansionLoc(declaration->getLocation());
            if (place.isValid() && !sources.isInSystemHeader(place)) own.push_back(declaration);
        }
        context.setTraversalScope(own);
    }
};

class Action : public clang::PluginASTAction {
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
        return std::make_unique<OwnCodeOnly>();
    }
    bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override { return true; }
    ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Action> registration("own-code-only", "looks at our own code only");

}  // namespace

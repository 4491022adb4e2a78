#include "config/sources/yaml_file.hpp"

#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <fmt/format.h>

namespace fencepost::config {
namespace {

constexpr std::size_t deepest = 16;

// Uses events, not nodes: yaml-cpp's nodes drop the second of two equal keys, and resolve aliases without limit.
class Flattener final : public YAML::EventHandler {
public:
    explicit Flattener(std::string name) : name_(std::move(name)) {}

    FlatFile flat;

    void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
    void OnDocumentEnd() override {}
    void OnAnchor(const YAML::Mark& mark, const std::string& /*name*/) override {
        report_problem(mark, "anchors are not supported: write the value where it is needed");
    }

    void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        if (levels_.empty()) return;  // an empty file
        if (takes_key()) return refuse_key(mark);
        const auto path = next_path();
        if (!ignored())
            report_problem(mark, fmt::format("{}: has no value: set one or remove the key", in_quotes(path)));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        report_problem(mark, "aliases are not supported: write the value where it is needed");
        skip_node(mark);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  const std::string& value) override {
        refuse_tag(mark, tag);
        if (levels_.empty()) return report_problem(mark, "a configuration is a map: write \"key: value\"");
        if (takes_key()) return take_key(mark, value);
        if (levels_.back().is_list) {
            if (!ignored()) flat.settings.at(levels_.back().setting).items.push_back(value);
            return;
        }
        const auto path = next_path();
        if (ignored()) return;
        flat.settings.push_back({.path = path, .items = {value}, .written = {}, .place = place(mark)});
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                         YAML::EmitterStyle::value /*style*/) override {
        open(mark, tag, true);
    }
    void OnSequenceEnd() override { levels_.pop_back(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                    YAML::EmitterStyle::value /*style*/) override {
        open(mark, tag, false);
    }
    void OnMapEnd() override { levels_.pop_back(); }

    void report_problem(const YAML::Mark& mark, std::string what) {
        flat.problems.push_back(problem_at(place(mark), std::move(what)));
    }

private:
    /// An open map or list.
    struct Level {
        std::string path{};
        bool is_list = false;
        bool is_ignored = false;
        std::size_t setting = 0;       // of a list
        std::set<std::string> keys{};  // of a map
        std::string key{};
        bool has_key = false;
    };

    [[nodiscard]] Place place(const YAML::Mark& mark) const {
        return {.origin = Place::Origin::file,
                .name = name_,
                .line = static_cast<std::size_t>(mark.line) + 1,
                .column = static_cast<std::size_t>(mark.column) + 1};
    }

    [[nodiscard]] bool takes_key() const { return !levels_.back().is_list && !levels_.back().has_key; }
    [[nodiscard]] bool ignored() const { return !levels_.empty() && levels_.back().is_ignored; }

    /// The path of the next value; uses up the pending key.
    std::string next_path() {
        if (levels_.empty()) return {};
        auto& level = levels_.back();
        level.has_key = false;
        if (level.is_list) return level.path;
        return level.path.empty() ? level.key : level.path + "." + level.key;
    }

    void take_key(const YAML::Mark& mark, const std::string& key) {
        auto& level = levels_.back();
        if (!level.keys.insert(key).second) report_problem(mark, fmt::format("{} is set twice", in_quotes(key)));
        level.key = key;
        level.has_key = true;
    }

    void refuse_key(const YAML::Mark& mark) {
        if (!ignored()) report_problem(mark, "a key must be a plain word");
        levels_.back().key.clear();
        levels_.back().has_key = true;
    }

    void skip_node(const YAML::Mark& mark) {
        if (levels_.empty()) return;
        if (takes_key()) return refuse_key(mark);
        next_path();
    }

    void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
        if (!tag.empty() && tag != "?" && tag != "!") report_problem(mark, "tags are not supported");
    }

    void open(const YAML::Mark& mark, const std::string& tag, bool is_list) {
        refuse_tag(mark, tag);
        Level level{.is_list = is_list, .is_ignored = ignored()};
        if (levels_.empty() && is_list) {
            report_problem(mark, "a configuration is a map, not a list: write \"key: value\"");
            level.is_ignored = true;
        } else if (!levels_.empty() && takes_key()) {
            refuse_key(mark);
            level.is_ignored = true;
        } else if (!levels_.empty()) {
            const bool in_list = levels_.back().is_list;
            level.path = next_path();
            refuse_depth(mark, level, in_list);
        }
        if (is_list && !level.is_ignored) {
            level.setting = flat.settings.size();
            flat.settings.push_back(
                {.path = level.path, .items = {}, .written = {}, .is_list = true, .place = place(mark)});
        }
        levels_.push_back(std::move(level));
    }

    void refuse_depth(const YAML::Mark& mark, Level& level, bool in_list) {
        if (level.is_ignored) return;
        level.is_ignored = in_list || levels_.size() >= deepest;
        if (in_list) {
            report_problem(mark,
                           fmt::format("{}: a list holds plain values; an entry with keys of its own needs a name, "
                                       "as in \"chains: {{main: …}}\"",
                                       in_quotes(level.path)));
        } else if (level.is_ignored) {
            report_problem(mark, "the nesting is too deep");
        }
    }

    std::string name_;
    std::vector<Level> levels_;
};

void parse(std::string text, Flattener& flattener) {
    // yaml-cpp 0.7 accepts an unclosed quote when the file ends with a line break.
    while (!text.empty() && std::string_view(" \t\r\n").contains(text.back()))
        text.pop_back();
    std::istringstream in(text);
    YAML::Parser parser(in);
    try {
        if (!parser.HandleNextDocument(flattener)) return;
        Flattener rest("");
        if (parser.HandleNextDocument(rest)) {
            flattener.report_problem(YAML::Mark(), "the file has more than one document; only one is supported");
        }
    } catch (const YAML::Exception& error) {
        // The settings before the error may have been misread, for example after an open bracket.
        flattener.flat = {.is_whole = false};
        flattener.report_problem(error.mark, fmt::format("invalid YAML: {}", error.msg));
    }
}

}  // namespace

FlatFile read_yaml(const ConfigFile& file) {
    Flattener flattener(file.name);
    if (file.text.size() > longest_file) {
        flattener.report_problem(YAML::Mark(), "the file is larger than 1 MiB");
        return std::move(flattener.flat);
    }
    parse(file.text, flattener);
    for (auto& setting : flattener.flat.settings)
        setting.written = setting.items;
    return std::move(flattener.flat);
}

}  // namespace fencepost::config

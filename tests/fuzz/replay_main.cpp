// The main function of a fuzz target without libFuzzer: runs every corpus file and then a fixed sequence of
// pseudo-random inputs, so that the target also protects ordinary builds.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

constexpr int random_inputs = 20'000;
constexpr std::size_t max_random_size = 128;
constexpr std::uint64_t seed = 1;

std::vector<Input> read_corpus(const std::filesystem::path& folder) {
    using Files = std::filesystem::directory_iterator;
    // Sorted by name, because the folder's own order differs between machines.
    const std::set<std::filesystem::path> paths(Files(folder), Files{});
    std::vector<Input> corpus;
    for (const auto& path : paths) {
        std::ifstream in(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return corpus;
}

// Reproducible on every platform, unlike the standard distributions; the small bias does not matter here.
std::size_t below(std::mt19937_64& random, std::size_t bound) { return random() % bound; }
std::uint8_t byte(std::mt19937_64& random) { return static_cast<std::uint8_t>(random()); }

Input noise(std::mt19937_64& random) {
    Input input(below(random, max_random_size));
    for (auto& each : input)
        each = byte(random);
    return input;
}

// Overwrites, inserts or drops a byte, a few times: near-misses of valid inputs reach deeper than random bytes.
Input mutated(Input input, std::mt19937_64& random) {
    for (std::size_t left = 1 + below(random, 4); left > 0; --left) {
        const auto at = static_cast<std::ptrdiff_t>(below(random, input.size() + 1));
        const std::size_t change = below(random, 3);
        if (change == 0 || std::cmp_equal(at, input.size())) {
            input.insert(input.begin() + at, byte(random));
        } else if (change == 1) {
            input.erase(input.begin() + at);
        } else {
            input[static_cast<std::size_t>(at)] = byte(random);
        }
    }
    return input;
}

void run(const Input& input) { LLVMFuzzerTestOneInput(input.data(), input.size()); }

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
        fmt::print(stderr, "usage: {} <corpus folder>\n", argv[0]);
        return 2;
    }
    const auto corpus = read_corpus(argv[1]);
    if (corpus.empty()) {
        fmt::print(stderr, "no file in {}\n", argv[1]);
        return 1;
    }
    for (const auto& input : corpus)
        run(input);

    std::mt19937_64 random(seed);
    for (int i = 0; i < random_inputs; ++i) {
        run(i % 2 == 0 ? noise(random) : mutated(corpus[below(random, corpus.size())], random));
    }
    fmt::print("{} corpus files and {} pseudo-random inputs\n", corpus.size(), random_inputs);
}

// Order, dropped lines, and blocked or closed readers.
#include "telemetry/background_writer.hpp"

#include <array>
#include <fcntl.h>
#include <future>
#include <optional>
#include <set>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fencepost::telemetry {
namespace {

class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    ~Pipe() {
        close_reader();
        close_writer();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] int writer() const { return ends_[1]; }
    void close_reader() { close(ends_[0]); }
    void close_writer() { close(ends_[1]); }

    /// Waits for the next line and returns it without its newline.
    [[nodiscard]] std::string read_line() const {
        std::string line;
        for (char byte = 0; ::read(ends_[0], &byte, 1) == 1 && byte != '\n';)
            line += byte;
        return line;
    }

    /// Everything up to the end.
    [[nodiscard]] std::string read_all() const {
        std::string text;
        std::array<char, 4'096> piece{};
        for (ssize_t count = 0; (count = ::read(ends_[0], piece.data(), piece.size())) > 0;)
            text.append(piece.data(), static_cast<std::size_t>(count));
        return text;
    }

private:
    static void close(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }
    std::array<int, 2> ends_{-1, -1};
};

BackgroundWriter::Options options(std::size_t max_queued_bytes = 1'048'576) {
    return {.max_queued_bytes = max_queued_bytes,
            .dropped_line = [](std::uint64_t lost) { return fmt::format("lost {}\n", lost); }};
}

TEST(BackgroundWriter, WritesAllLinesInOrderBeforeDestruction) {
    Pipe pipe;
    std::string expected;
    auto reader = std::async(std::launch::async, [&pipe] { return pipe.read_all(); });
    {
        BackgroundWriter writer(pipe.writer(), options());
        for (int i = 0; i < 1'000; ++i) {
            const auto line = fmt::format("line {}\n", i);
            expected += line;
            writer.take(line);
        }
    }
    pipe.close_writer();
    EXPECT_EQ(reader.get(), expected);
}

TEST(BackgroundWriter, LosesNothingFromSeveralThreads) {
    Pipe pipe;
    auto reader = std::async(std::launch::async, [&pipe] { return pipe.read_all(); });
    {
        BackgroundWriter writer(pipe.writer(), options());
        std::vector<std::future<void>> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.push_back(std::async(std::launch::async, [&writer, thread] {
                for (int i = 0; i < 500; ++i)
                    writer.take(fmt::format("{} {}\n", thread, i));
            }));
        }
    }
    pipe.close_writer();
    std::istringstream text(reader.get());
    std::set<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.insert(line);
    EXPECT_EQ(lines.size(), 2'000U);
}

// Writes a hundred times the queue limit without a reader: if take() blocked, this test would never end.
TEST(BackgroundWriter, NeverBlocksAndReportsDroppedLines) {
    static constexpr int count = 100'000;
    Pipe pipe;
    std::optional<BackgroundWriter> writer(std::in_place, pipe.writer(), options(10'000));
    for (int i = 0; i < count; ++i)
        writer->take(fmt::format("line {:06}\n", i));

    // Waits for the last line before the writer is destroyed, which gives a slow reader only one second.
    std::uint64_t written = 0;
    std::uint64_t lost = 0;
    while (written + lost < count) {
        const auto line = pipe.read_line();
        if (line.starts_with("lost ")) {
            lost += std::stoull(line.substr(5));
        } else {
            EXPECT_EQ(line.size(), 11U) << "a line is written whole: " << line;
            ++written;
        }
    }
    EXPECT_GT(lost, 0U);
    EXPECT_EQ(written + lost, static_cast<std::uint64_t>(count));
    writer.reset();
    pipe.close_writer();
    EXPECT_EQ(pipe.read_all(), "");
}

TEST(BackgroundWriter, EndsWhileReaderIsBlocked) {
    Pipe pipe;
    BackgroundWriter writer(pipe.writer(), options());
    writer.take(std::string(500'000, 'x'));
}

TEST(BackgroundWriter, SurvivesClosedReader) {
    Pipe pipe;
    pipe.close_reader();
    BackgroundWriter writer(pipe.writer(), options());
    for (int i = 0; i < 10; ++i)
        writer.take("never read\n");
}

}  // namespace
}  // namespace fencepost::telemetry

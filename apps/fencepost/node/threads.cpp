#include "node/threads.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "base/async/caught.hpp"

namespace fencepost::node {

WorkerThread::WorkerThread(const Shared& shared, std::function<void(std::exception_ptr)> on_failure)
    : worker_(context_.get_executor(), shared),
      tasks_(context_.get_executor()),
      on_failure_(std::move(on_failure)) {}

WorkerThread::~WorkerThread() {
    if (!thread_.joinable()) return;
    asio::post(context_, [this] { tasks_.cancel(); });
    work_.reset();
    thread_.join();
}

void WorkerThread::start() {
    tasks_.spawn(run_worker());
    thread_ = std::jthread([this] { context_.run(); });
}

Task<void> WorkerThread::run_worker() {
    const auto ended = co_await caught(worker_.run());
    on_failure_(ended ? nullptr : ended.error());
}

}  // namespace fencepost::node

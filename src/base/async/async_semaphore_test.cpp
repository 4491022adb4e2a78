#include "base/async/async_semaphore.hpp"

#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"

namespace fencepost {
namespace {

using testing::ElementsAre;

struct Site {
    asio::io_context context{1};
    AsyncSemaphore semaphore{context.get_executor(), 1};
    std::vector<int> went;

    static Task<void> go(Site* site, int who) {
        const auto turn = co_await site->semaphore.take();
        site->went.push_back(who);
        co_await asio::post(asio::use_awaitable);
        site->went.push_back(who);
    }

    void run(Task<void> script) {
        asio::co_spawn(context, std::move(script), [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);
        });
        context.run();
    }
};

Task<void> acquire_and_release(Site* site) {
    TaskGroup tasks(site->context.get_executor());
    for (int who = 1; who <= 3; ++who)
        tasks.spawn(Site::go(site, who));
    co_await tasks.join();
}

TEST(AsyncSemaphore, GrantsPermitsInFifoOrder) {
    Site site;
    site.run(acquire_and_release(&site));
    EXPECT_THAT(site.went, ElementsAre(1, 1, 2, 2, 3, 3));
}

Task<void> cancel_a_waiter(Site* site) {
    TaskGroup patient(site->context.get_executor());
    TaskGroup impatient(site->context.get_executor());
    {
        const auto turn = co_await site->semaphore.take();
        impatient.spawn(Site::go(site, 1));
        patient.spawn(Site::go(site, 2));
        while (site->semaphore.waiting() < 2)
            co_await asio::post(asio::use_awaitable);
        impatient.cancel();
        co_await impatient.join();
    }
    co_await patient.join();
    co_await Site::go(site, 3);
}

TEST(AsyncSemaphore, CancelledWaiterConsumesNoPermit) {
    Site site;
    site.run(cancel_a_waiter(&site));
    EXPECT_THAT(site.went, ElementsAre(2, 2, 3, 3));
}

Task<void> cancel_after_grant(Site* site) {
    TaskGroup called(site->context.get_executor());
    {
        const auto turn = co_await site->semaphore.take();
        called.spawn(Site::go(site, 1));
        while (site->semaphore.waiting() < 1)
            co_await asio::post(asio::use_awaitable);
    }
    called.cancel();  // its turn has come, but it has not run yet
    co_await called.join();
    site->went.clear();
    co_await Site::go(site, 2);
}

TEST(AsyncSemaphore, PassesThePermitOnWhenTheWaiterWasCancelled) {
    Site site;
    site.run(cancel_after_grant(&site));
    EXPECT_THAT(site.went, ElementsAre(2, 2));
}

}  // namespace
}  // namespace fencepost

// Queue, retries and JSON body of the alert webhook.
#include "alerts/webhook_sink.hpp"

#include <algorithm>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/time.hpp"

namespace fencepost::alerts {

std::string webhook_body(const Notice& notice, std::uint64_t lost) {
    const auto& alert = notice.alert;
    boost::json::object body{{"kind", name_of(alert.kind)}, {"level", name_of(alert.level)},
                             {"submitter", nullptr},        {"message", alert.message},
                             {"at", to_rfc3339(notice.at)}, {"times", notice.times},
                             {"reminder", notice.reminder}, {"lost", lost}};
    if (alert.submitter) body["submitter"] = alert.submitter->to_string();
    return boost::json::serialize(body);
}

WebhookSink::WebhookSink(const Executor& executor, HttpPoster& poster, Clock& clock, Log& log, WebhookOptions options)
    : poster_(poster),
      clock_(clock),
      log_(log),
      options_(options),
      work_(executor) {}

void WebhookSink::notify(const Notice& notice) {
    if (waiting_.size() >= options_.waiting) {
        lose(waiting_.front(), "queue full");
        waiting_.pop_front();
    }
    waiting_.push_back(notice);
    work_.notify();
}

void WebhookSink::lose(const Notice& notice, std::string_view why) {
    ++lost_;
    log_.write(Severity::warning, "Alert not delivered to webhook",
               {{"alert", std::string(name_of(notice.alert.kind))}, {"why", std::string(why)}});
}

Task<void> WebhookSink::post(Notice notice) {
    auto pause = options_.initial_pause;
    for (unsigned tried = 1;; ++tried) {
        const auto lost = lost_;
        const auto answer = co_await poster_.post({.body = webhook_body(notice, lost)}, options_.post_limit);
        if (answer) {
            lost_ -= lost;
            co_return;
        }
        if (tried == options_.tries) {
            lose(notice, name_of(answer.error()));
            co_return;
        }
        co_await clock_.sleep_for(pause);
        pause = std::min(pause * 2, options_.longest_pause);
    }
}

Task<void> WebhookSink::run() {
    while (true) {
        while (waiting_.empty())
            co_await work_.wait();
        auto notice = std::move(waiting_.front());
        waiting_.pop_front();
        co_await post(std::move(notice));
    }
}

}  // namespace fencepost::alerts

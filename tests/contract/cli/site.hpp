// A scripted server that answers like the API, and the real program as its client. Both share one thread: the server
// runs until the program has exited.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/async/task_group.hpp"
#include "http/router.hpp"
#include "http/server.hpp"
#include "support/temp_folder.hpp"
#include "support/test_certificate.hpp"
#include "system/system_clock.hpp"

namespace fencepost::test {

struct Outcome {
    int code = -1;
    std::string out;
    std::string err;
};

class Site {
public:
    using Answer = std::function<http::Response(const http::Request&)>;

    ~Site();

    /// From now on the server uses TLS with this certificate, which is stored in server.pem. Call before the first run.
    void use_tls(const TestCertificate& certificate);
    /// The answers for a path, one per request; the last one repeats. Call before the first run.
    void on(http::Method method, const std::string& path, std::vector<http::Response> answers);

    /// Runs `fencepost` with these arguments, and with the server's URL unless `with_url` is false.
    Outcome run(std::vector<std::string> arguments, bool with_url = true);
    /// The same with its output going to that file.
    Outcome run_into(const std::string& file, std::vector<std::string> arguments);
    /// The same in a terminal; `out` has everything it shows.
    Outcome run_at_terminal(const std::vector<std::string>& arguments);

    [[nodiscard]] const std::vector<http::Request>& requests() const { return requests_; }
    [[nodiscard]] const TempFolder& folder() const { return folder_; }
    [[nodiscard]] std::map<std::string, std::string>& environment() { return environment_; }
    [[nodiscard]] std::string url();

private:
    Outcome run_command(const std::vector<std::string>& command, const std::string& out = "out");
    void open();

    TempFolder folder_;
    std::map<std::string, std::string> environment_;
    std::vector<http::Request> requests_;
    asio::io_context context_{1};
    SystemClock clock_;
    http::Router router_;
    http::ServerOptions options_{.listen = {.host = "127.0.0.1", .port = 0}};
    std::unique_ptr<http::Server> server_;
    std::unique_ptr<TaskGroup> tasks_;
};

[[nodiscard]] http::Response answer_of(std::string body, http::StatusCode status = http::StatusCode::ok);

}  // namespace fencepost::test

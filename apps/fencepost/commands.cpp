#include "commands.hpp"

namespace fencepost {

// In the order of --help: commands that run the service, then commands that call it.
void add_commands(CLI::App& program, Work& chosen) {
    add_demo(program, chosen);
    add_serve(program, chosen);
    add_devchain(program, chosen);
    add_config(program, chosen);
    add_doctor(program, chosen);
    add_alerts(program, chosen);
    add_migrate(program, chosen);
    add_key(program, chosen);
    add_apikey(program, chosen);
    add_tx(program, chosen);
    add_submitter(program, chosen);
    add_chains(program, chosen);
    add_cluster(program, chosen);
}

}  // namespace fencepost

// Writes a test's certificate authority to a file for clients.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "support/test_certificate.hpp"

namespace fencepost::test {

/// Removes the file on destruction.
struct CaFile {
    explicit CaFile(const TestCertificate& certificate) { std::ofstream(path) << certificate.certificate_pem; }
    ~CaFile() { std::filesystem::remove(path); }
    CaFile(const CaFile&) = delete;
    CaFile& operator=(const CaFile&) = delete;

    std::string path = std::filesystem::temp_directory_path() / ("fencepost-ca-" + std::to_string(getpid()) + ".pem");
};

}  // namespace fencepost::test

// Asio's TLS is compiled here once (BOOST_ASIO_SEPARATE_COMPILATION) instead of in every file that includes it.
#include <boost/asio/ssl/impl/src.hpp>

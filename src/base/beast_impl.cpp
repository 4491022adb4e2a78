// Beast is compiled here once (BOOST_BEAST_SEPARATE_COMPILATION) instead of in every file that includes it.
//
// Without its assertions, in every build as in a release: one of them is wrong. A body whose only chunk is the last
// one, arriving byte by byte, has 4 bytes of it for a moment where basic_parser::parse_chunk_header asserts 5, and goes
// on correctly with 4. So whoever could send us anything could end the process.
#define BOOST_DISABLE_ASSERTS
#include <boost/assert.hpp>
#include <boost/beast/src.hpp>

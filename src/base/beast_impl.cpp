// Beast is compiled here once (BOOST_BEAST_SEPARATE_COMPILATION) instead of in every file that includes it.
//
// Its assertions are disabled in every build, because one is wrong: when a body whose only chunk is the last one
// arrives byte by byte, basic_parser::parse_chunk_header asserts 5 bytes where 4 are possible and correct. Any client
// could abort the process with it.
#define BOOST_DISABLE_ASSERTS
#include <boost/assert.hpp>
#include <boost/beast/src.hpp>

// Beast is compiled here once (BOOST_BEAST_SEPARATE_COMPILATION) instead of in every file that includes it.
#include <boost/beast/src.hpp>

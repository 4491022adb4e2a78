// Boost.JSON is compiled here once, from its headers: no library to link, and no other file pays for it.
#include <boost/json/src.hpp>

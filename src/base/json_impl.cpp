// Boost.JSON is compiled here once, from its headers: no library to link, and faster builds.
#include <boost/json/src.hpp>

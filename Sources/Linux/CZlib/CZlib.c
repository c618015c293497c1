// A C target has a source, and this one needs none.
#include "CZlib.h"

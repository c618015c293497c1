// zlib's own interface: of it, compressing at once into a buffer is used (`compressBound`, `compress2`).

#ifndef CZLIB_H
#define CZLIB_H

#include <zlib.h>

#endif

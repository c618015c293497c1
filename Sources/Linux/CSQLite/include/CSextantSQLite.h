// SQLite's own interface, and what of it Swift cannot import: variadic calls and macros that cast.
//
// Every function returns SQLite's result code.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>
#include <stdbool.h>

/// Binds a copy of the text, whose length is in bytes; NULL with no bytes is the empty text.
int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count);
/// Binds a copy of the bytes; NULL with no bytes is the empty blob, not NULL.
int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count);
/// Whether closing leaves the write-ahead log and the file as they are.
int csqlite_leave_log_on_close(sqlite3 *database, bool leave);

#endif

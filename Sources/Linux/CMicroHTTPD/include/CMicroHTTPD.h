// An HTTP server on a listening socket, by libmicrohttpd, without a thread: the caller's event loop drives it.
//
// One face for libmicrohttpd 0.9.75 (Debian 12) and 1.0 (Debian 13). It hides what Swift cannot call (variadic
// functions) and what must be done within libmicrohttpd's callbacks (suspending, queueing an answer).

#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A server on one listening socket.
struct cmhd_server;

/// One request and its answer; it lives until `ended` was called for it.
struct cmhd_exchange;

struct cmhd_limits {
    /// Connections at once; more wait in the kernel's queue. At most half of them may not have asked yet: beyond that those
    /// that have waited longest are ended.
    unsigned connections;
    /// Bytes of a connection's buffer, in which a request's head must find room.
    size_t memory;
    /// Bytes of a request's body; a longer one is refused.
    size_t body;
    /// Seconds that a connection may be silent; suspended ones are not counted.
    unsigned seconds;
};

struct cmhd_handlers {
    void *context;
    /// Called once for a request that has come whole, or whose body is refused for its length (`cmhd_is_too_long`).
    /// It may answer at once with `cmhd_answer` or `cmhd_stream`, or later; the connection is suspended until then.
    void (*asked)(void *context, struct cmhd_exchange *exchange);
    /// Copies the next bytes of a stream; 0 suspends it until `cmhd_wake`, and a negative number ends it.
    ssize_t (*more)(void *context, struct cmhd_exchange *exchange, uint8_t *buffer, size_t capacity);
    /// Called when the exchange is over for whatever reason; its pointer means nothing after that.
    void (*ended)(void *context, struct cmhd_exchange *exchange);
};

/// Starts a server on a listening, non-blocking socket, which it takes over; NULL where libmicrohttpd refuses.
/// It lives as long as the process.
struct cmhd_server *cmhd_start(int listener, struct cmhd_limits limits, struct cmhd_handlers handlers);
/// The descriptor that becomes readable when `cmhd_run` has work to do; it belongs to the server.
int cmhd_descriptor(struct cmhd_server *server);
/// Does what can be done without waiting, and returns whether a connection ended.
bool cmhd_run(struct cmhd_server *server);
/// Milliseconds until `cmhd_run` has to be called although the descriptor is silent; negative for never.
int64_t cmhd_timeout(struct cmhd_server *server);

// A request. All texts live as long as the exchange; NULL where there is none.

const char *cmhd_method(struct cmhd_exchange *exchange);
/// The path without the query, its percent signs decoded by libmicrohttpd.
const char *cmhd_path(struct cmhd_exchange *exchange);
const char *cmhd_query(struct cmhd_exchange *exchange, const char *name);
/// The value of the first header of this name, whatever its case.
const char *cmhd_header(struct cmhd_exchange *exchange, const char *name);
/// How many headers of this name were sent.
unsigned cmhd_header_count(struct cmhd_exchange *exchange, const char *name);
/// Bytes of all names and values of the request's headers.
size_t cmhd_head_size(struct cmhd_exchange *exchange);
bool cmhd_is_too_long(struct cmhd_exchange *exchange);
const uint8_t *cmhd_body(struct cmhd_exchange *exchange, size_t *count);

// An answer: first its headers, then one of the last three functions, once.

bool cmhd_add_header(struct cmhd_exchange *exchange, const char *name, const char *value);
/// Answers with a copy of the bytes.
bool cmhd_answer(struct cmhd_exchange *exchange, unsigned status, const uint8_t *bytes, size_t count);
/// Answers with bytes that live as long as the server, and are not copied.
bool cmhd_answer_kept(struct cmhd_exchange *exchange, unsigned status, const uint8_t *bytes, size_t count);
/// Answers with status 200 and a body that `more` gives piece by piece.
bool cmhd_stream(struct cmhd_exchange *exchange);
/// Has `more` asked again for a stream that was suspended; nothing for one that is not.
void cmhd_wake(struct cmhd_exchange *exchange);

#endif

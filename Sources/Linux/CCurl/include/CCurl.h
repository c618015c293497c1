// One HTTP request at a time through libcurl, without waiting: what Swift cannot import (variadic options) and what must
// be done within libcurl's callbacks (its sockets and its timer).

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A client that keeps its connection to the server between requests.
struct ccurl_client;

struct ccurl_options {
    /// The User-Agent header's value.
    const char *agent;
    /// A file of certificates that are trusted in place of the system's; NULL for the system's.
    const char *authority;
    /// Whether URLs may begin with http; otherwise https alone is spoken.
    bool allows_plain;
    /// The most bytes of an answer's body; a longer one ends the request.
    size_t body;
    /// Milliseconds for the connection, names and TLS included.
    long connect_milliseconds;
};

/// How a request ended.
struct ccurl_answer {
    /// libcurl's code; 0 where an answer came whole.
    int code;
    /// The status of HTTP; 0 where none came.
    long status;
    /// Seconds after which the server wants to be asked again (its header Retry-After); 0 where it says nothing of it.
    int64_t retry_after;
    /// The body, until the next call for this client.
    const uint8_t *body;
    size_t body_count;
};

/// Makes a client; NULL where libcurl refuses. The texts are copied.
struct ccurl_client *ccurl_start(struct ccurl_options options);
void ccurl_stop(struct ccurl_client *client);
/// The descriptor that becomes readable when `ccurl_run` has work to do; it belongs to the client.
int ccurl_descriptor(struct ccurl_client *client);
/// Begins a GET that ends after so many milliseconds at the latest. Redirects are not followed, certificates and their
/// names are checked, and no proxy is used. False where a request is under way, or memory is out.
bool ccurl_begin(struct ccurl_client *client, const char *url, long milliseconds);
/// Does what can be done without waiting.
void ccurl_run(struct ccurl_client *client);
/// Milliseconds until `ccurl_run` has to be called although the descriptor is silent; negative for never.
int64_t ccurl_timeout(struct ccurl_client *client);
/// Whether the request has ended; true once for each.
bool ccurl_take(struct ccurl_client *client, struct ccurl_answer *answer);
/// libcurl's words for a code.
const char *ccurl_text(int code);

#endif

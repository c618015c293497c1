#include "CMicroHTTPD.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/// A connection that the caller has not been asked by yet, or that may ask again: in a list by age.
struct visitor {
    struct visitor *older, *newer;
    int socket;
    bool waits;
};

struct cmhd_server {
    struct MHD_Daemon *daemon;
    struct cmhd_limits limits;
    struct cmhd_handlers handlers;
    struct visitor *oldest, *newest;
    unsigned waiting;
    /// Whether a connection ended since the last look.
    bool has_closed;
};

/// A header of an answer that is not made yet.
struct header {
    struct header *next;
    char *name, *value;
};

struct cmhd_exchange {
    struct cmhd_server *server;
    struct MHD_Connection *connection;
    char *method, *path;
    uint8_t *body;
    size_t body_count, body_room;
    struct header *headers;
    struct MHD_Response *response;
    unsigned status;
    /// Whether `asked` was called, an answer was queued, the connection is suspended.
    bool is_asked, is_queued, is_suspended, is_too_long;
};

static struct cmhd_exchange *make_exchange(
    struct cmhd_server *server, struct MHD_Connection *connection, const char *method, const char *path
) {
    struct cmhd_exchange *exchange = calloc(1, sizeof *exchange);
    if (!exchange) return NULL;
    exchange->server = server;
    exchange->connection = connection;
    exchange->method = strdup(method);
    exchange->path = strdup(path);
    if (exchange->method && exchange->path) return exchange;
    free(exchange->method);
    free(exchange->path);
    free(exchange);
    return NULL;
}

static void free_exchange(struct cmhd_exchange *exchange) {
    while (exchange->headers) {
        struct header *header = exchange->headers;
        exchange->headers = header->next;
        free(header->name);
        free(header->value);
        free(header);
    }
    if (exchange->response) MHD_destroy_response(exchange->response);
    free(exchange->method);
    free(exchange->path);
    free(exchange->body);
    free(exchange);
}

// Who has not asked yet

static void enlist(struct cmhd_server *server, struct visitor *visitor) {
    if (!visitor || visitor->waits) return;
    visitor->waits = true;
    visitor->newer = NULL;
    visitor->older = server->newest;
    *(server->newest ? &server->newest->newer : &server->oldest) = visitor;
    server->newest = visitor;
    server->waiting++;
}

static void strike(struct cmhd_server *server, struct visitor *visitor) {
    if (!visitor || !visitor->waits) return;
    visitor->waits = false;
    *(visitor->older ? &visitor->older->newer : &server->oldest) = visitor->newer;
    *(visitor->newer ? &visitor->newer->older : &server->newest) = visitor->older;
    server->waiting--;
}

static struct visitor *visitor_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// Ends those that have waited longest, once they hold half of all connections: whoever sends a request byte by byte for ever
/// keeps nobody out, since a browser sends its own at once.
static void make_room(struct cmhd_server *server) {
    while (server->waiting > server->limits.connections / 2) {
        shutdown(server->oldest->socket, SHUT_RDWR);
        strike(server, server->oldest);
    }
}

// Asking

static bool keep_body(struct cmhd_exchange *exchange, const char *bytes, size_t count) {
    if (count > exchange->server->limits.body - exchange->body_count) return false;
    if (exchange->body_count + count > exchange->body_room) {
        size_t room = exchange->body_count + count + 1024;
        uint8_t *body = realloc(exchange->body, room);
        if (!body) return false;
        exchange->body = body;
        exchange->body_room = room;
    }
    memcpy(exchange->body + exchange->body_count, bytes, count);
    exchange->body_count += count;
    return true;
}

static enum MHD_Result queue(struct cmhd_exchange *exchange) {
    exchange->is_queued = true;
    return MHD_queue_response(exchange->connection, exchange->status, exchange->response);
}

/// Asks the handler, and suspends the connection where the answer comes later.
static enum MHD_Result ask(struct cmhd_exchange *exchange) {
    if (!exchange->is_asked) {
        exchange->is_asked = true;
        strike(exchange->server, visitor_of(exchange->connection));
        exchange->server->handlers.asked(exchange->server->handlers.context, exchange);
    }
    if (exchange->response) return queue(exchange);
    exchange->is_suspended = true;
    MHD_suspend_connection(exchange->connection);
    return MHD_YES;
}

/// Whether the head announces a body that is longer than allowed.
static bool announces_too_much(struct cmhd_exchange *exchange) {
    const char *length = cmhd_header(exchange, "Content-Length");
    return length && strtoull(length, NULL, 10) > exchange->server->limits.body;
}

static enum MHD_Result handle(
    void *context, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *bytes, size_t *count, void **state
) {
    struct cmhd_server *server = context;
    struct cmhd_exchange *exchange = *state;
    (void)version;
    if (!exchange) {
        exchange = make_exchange(server, connection, method, path);
        if (!exchange) return MHD_NO;
        *state = exchange;
        if (!announces_too_much(exchange)) return MHD_YES;
        // An answer before the body is read closes the connection after it.
        exchange->is_too_long = true;
        return ask(exchange);
    }
    if (exchange->is_queued) {
        *count = 0;
        return MHD_YES;
    }
    if (*count) {
        // A body of unknown length that grows too long: no answer is possible here, so the connection ends.
        if (!keep_body(exchange, bytes, *count)) return MHD_NO;
        *count = 0;
        return MHD_YES;
    }
    return ask(exchange);
}

static void completed(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code
) {
    struct cmhd_exchange *exchange = *state;
    (void)context;
    (void)code;
    if (!exchange) return;
    *state = NULL;
    enlist(exchange->server, visitor_of(connection));
    if (exchange->is_asked) exchange->server->handlers.ended(exchange->server->handlers.context, exchange);
    free_exchange(exchange);
}

static void connected(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_ConnectionNotificationCode code
) {
    struct cmhd_server *server = context;
    struct visitor *visitor = *state;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        server->has_closed = true;
        strike(server, visitor);
        free(visitor);
        *state = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!info || !(visitor = calloc(1, sizeof *visitor))) return;
    visitor->socket = info->connect_fd;
    *state = visitor;
    enlist(server, visitor);
    make_room(server);
}

// The server

struct cmhd_server *cmhd_start(int listener, struct cmhd_limits limits, struct cmhd_handlers handlers) {
    struct cmhd_server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    server->limits = limits;
    server->handlers = handlers;
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.seconds,
        MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, connected, server,
        MHD_OPTION_END);
    if (server->daemon) return server;
    free(server);
    return NULL;
}

static void resume(struct cmhd_exchange *exchange) {
    if (!exchange->is_suspended) return;
    exchange->is_suspended = false;
    MHD_resume_connection(exchange->connection);
}

int cmhd_descriptor(struct cmhd_server *server) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

bool cmhd_run(struct cmhd_server *server) {
    bool has_ended = false;
    // At its limit libmicrohttpd stops listening, and begins again only in the call after the one that found room.
    do {
        server->has_closed = false;
        MHD_run(server->daemon);
        has_ended = has_ended || server->has_closed;
    } while (server->has_closed);
    return has_ended;
}

int64_t cmhd_timeout(struct cmhd_server *server) {
    MHD_UNSIGNED_LONG_LONG timeout = 0;
    if (MHD_get_timeout(server->daemon, &timeout) != MHD_YES) return -1;
    return (int64_t)timeout;
}

// A request

const char *cmhd_method(struct cmhd_exchange *exchange) { return exchange->method; }

const char *cmhd_path(struct cmhd_exchange *exchange) { return exchange->path; }

const char *cmhd_query(struct cmhd_exchange *exchange, const char *name) {
    return MHD_lookup_connection_value(exchange->connection, MHD_GET_ARGUMENT_KIND, name);
}

const char *cmhd_header(struct cmhd_exchange *exchange, const char *name) {
    return MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
}

struct tally {
    const char *name;
    unsigned count;
    size_t bytes;
};

static enum MHD_Result tally(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    struct tally *tally = context;
    (void)kind;
    if (tally->name && strcasecmp(name, tally->name) == 0) tally->count++;
    tally->bytes += strlen(name) + (value ? strlen(value) : 0) + 4;
    return MHD_YES;
}

unsigned cmhd_header_count(struct cmhd_exchange *exchange, const char *name) {
    struct tally result = {.name = name};
    MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, tally, &result);
    return result.count;
}

size_t cmhd_head_size(struct cmhd_exchange *exchange) {
    struct tally result = {.name = NULL};
    MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, tally, &result);
    return result.bytes + strlen(exchange->path);
}

bool cmhd_is_too_long(struct cmhd_exchange *exchange) { return exchange->is_too_long; }

const uint8_t *cmhd_body(struct cmhd_exchange *exchange, size_t *count) {
    *count = exchange->body_count;
    return exchange->body;
}

// An answer

bool cmhd_add_header(struct cmhd_exchange *exchange, const char *name, const char *value) {
    struct header *header = calloc(1, sizeof *header);
    if (!header) return false;
    header->name = strdup(name);
    header->value = strdup(value);
    header->next = exchange->headers;
    exchange->headers = header;
    return header->name && header->value;
}

/// Gives the response its headers, and the connection the response if it waits for it.
static bool finish(struct cmhd_exchange *exchange, unsigned status, struct MHD_Response *response) {
    if (!response) return false;
    for (struct header *header = exchange->headers; header; header = header->next) {
        if (header->name && header->value) MHD_add_response_header(response, header->name, header->value);
    }
    exchange->response = response;
    exchange->status = status;
    resume(exchange);
    return true;
}

bool cmhd_answer(struct cmhd_exchange *exchange, unsigned status, const uint8_t *bytes, size_t count) {
    if (exchange->response) return false;
    return finish(
        exchange, status, MHD_create_response_from_buffer(count, count ? (void *)bytes : "", MHD_RESPMEM_MUST_COPY));
}

bool cmhd_answer_kept(struct cmhd_exchange *exchange, unsigned status, const uint8_t *bytes, size_t count) {
    if (exchange->response) return false;
    return finish(
        exchange, status, MHD_create_response_from_buffer(count, count ? (void *)bytes : "", MHD_RESPMEM_PERSISTENT));
}

static ssize_t more(void *context, uint64_t position, char *buffer, size_t capacity) {
    struct cmhd_exchange *exchange = context;
    (void)position;
    ssize_t count =
        exchange->server->handlers.more(exchange->server->handlers.context, exchange, (uint8_t *)buffer, capacity);
    if (count > 0) return count;
    if (count < 0) return MHD_CONTENT_READER_END_OF_STREAM;
    // Without it, libmicrohttpd would ask again without end.
    exchange->is_suspended = true;
    MHD_suspend_connection(exchange->connection);
    return 0;
}

bool cmhd_stream(struct cmhd_exchange *exchange) {
    if (exchange->response) return false;
    return finish(
        exchange, MHD_HTTP_OK,
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, more, exchange, NULL));
}

void cmhd_wake(struct cmhd_exchange *exchange) { resume(exchange); }

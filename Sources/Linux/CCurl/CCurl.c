#include "CCurl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

struct ccurl_client {
    CURLM *multi;
    CURL *easy;
    int epoll;
    /// When libcurl wants to be called, in milliseconds of the monotonic clock; negative for never.
    int64_t due;
    bool is_busy, has_ended;
    size_t limit;
    uint8_t *body;
    size_t body_count, body_room;
    struct ccurl_answer answer;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// libcurl's callbacks

static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    struct ccurl_client *client = context;
    struct epoll_event event = {.data.fd = socket};
    (void)easy;
    (void)known;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(client->epoll, EPOLL_CTL_DEL, socket, NULL);
        return 0;
    }
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (epoll_ctl(client->epoll, EPOLL_CTL_ADD, socket, &event) == 0) return 0;
    return epoll_ctl(client->epoll, EPOLL_CTL_MOD, socket, &event);
}

static int set_timer(CURLM *multi, long milliseconds, void *context) {
    struct ccurl_client *client = context;
    (void)multi;
    client->due = milliseconds < 0 ? -1 : now() + milliseconds;
    return 0;
}

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    struct ccurl_client *client = context;
    count *= size;
    if (count > client->limit - client->body_count) return 0;
    if (client->body_count + count > client->body_room) {
        size_t room = client->body_count + count + 16384;
        uint8_t *body = realloc(client->body, room);
        if (!body) return 0;
        client->body = body;
        client->body_room = room;
    }
    memcpy(client->body + client->body_count, bytes, count);
    client->body_count += count;
    return count;
}

// The client

static bool prepare(struct ccurl_client *client, struct ccurl_options options) {
    CURL *easy = client->easy;
    bool is_right = true;
#define SET(option, value) is_right = curl_easy_setopt(easy, option, value) == CURLE_OK && is_right
    SET(CURLOPT_USERAGENT, options.agent);
    SET(CURLOPT_PROTOCOLS_STR, options.allows_plain ? "https,http" : "https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, options.connect_milliseconds);
    SET(CURLOPT_BUFFERSIZE, 16384L);
    SET(CURLOPT_WRITEFUNCTION, keep);
    SET(CURLOPT_WRITEDATA, client);
    if (options.authority) {
        SET(CURLOPT_CAINFO, options.authority);
        SET(CURLOPT_CAPATH, NULL);
    }
#undef SET
    return is_right && curl_multi_setopt(client->multi, CURLMOPT_SOCKETFUNCTION, watch) == CURLM_OK
        && curl_multi_setopt(client->multi, CURLMOPT_SOCKETDATA, client) == CURLM_OK
        && curl_multi_setopt(client->multi, CURLMOPT_TIMERFUNCTION, set_timer) == CURLM_OK
        && curl_multi_setopt(client->multi, CURLMOPT_TIMERDATA, client) == CURLM_OK
        && curl_multi_setopt(client->multi, CURLMOPT_MAXCONNECTS, 1L) == CURLM_OK;
}

struct ccurl_client *ccurl_start(struct ccurl_options options) {
    static bool is_initialised;
    if (!is_initialised && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return NULL;
    is_initialised = true;
    struct ccurl_client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->due = -1;
    client->limit = options.body;
    client->epoll = epoll_create1(EPOLL_CLOEXEC);
    client->multi = curl_multi_init();
    client->easy = curl_easy_init();
    if (client->epoll >= 0 && client->multi && client->easy && prepare(client, options)) return client;
    ccurl_stop(client);
    return NULL;
}

void ccurl_stop(struct ccurl_client *client) {
    if (client->is_busy) curl_multi_remove_handle(client->multi, client->easy);
    if (client->easy) curl_easy_cleanup(client->easy);
    if (client->multi) curl_multi_cleanup(client->multi);
    if (client->epoll >= 0) close(client->epoll);
    free(client->body);
    free(client);
}

int ccurl_descriptor(struct ccurl_client *client) { return client->epoll; }

bool ccurl_begin(struct ccurl_client *client, const char *url, long milliseconds) {
    if (client->is_busy) return false;
    client->body_count = 0;
    if (curl_easy_setopt(client->easy, CURLOPT_URL, url) != CURLE_OK
        || curl_easy_setopt(client->easy, CURLOPT_TIMEOUT_MS, milliseconds) != CURLE_OK
        || curl_multi_add_handle(client->multi, client->easy) != CURLM_OK) return false;
    client->is_busy = true;
    return true;
}

/// Keeps how the request ended, where it has.
static void collect(struct ccurl_client *client) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(client->multi, &left))) {
        if (message->msg != CURLMSG_DONE || message->easy_handle != client->easy) continue;
        curl_off_t retry_after = 0;
        client->answer = (struct ccurl_answer){.code = (int)message->data.result};
        curl_easy_getinfo(client->easy, CURLINFO_RESPONSE_CODE, &client->answer.status);
        curl_easy_getinfo(client->easy, CURLINFO_RETRY_AFTER, &retry_after);
        client->answer.retry_after = retry_after;
        client->has_ended = true;
    }
    if (!client->has_ended || !client->is_busy) return;
    curl_multi_remove_handle(client->multi, client->easy);
    client->is_busy = false;
}

void ccurl_run(struct ccurl_client *client) {
    struct epoll_event events[8];
    int running, count = epoll_wait(client->epoll, events, 8, 0);
    for (int index = 0; index < count; index++) {
        int mask = 0;
        if (events[index].events & (EPOLLIN | EPOLLHUP)) mask |= CURL_CSELECT_IN;
        if (events[index].events & EPOLLOUT) mask |= CURL_CSELECT_OUT;
        if (events[index].events & EPOLLERR) mask |= CURL_CSELECT_ERR;
        curl_multi_socket_action(client->multi, events[index].data.fd, mask, &running);
    }
    if (client->due >= 0 && client->due <= now()) {
        client->due = -1;
        curl_multi_socket_action(client->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    collect(client);
}

int64_t ccurl_timeout(struct ccurl_client *client) {
    if (client->due < 0) return -1;
    int64_t left = client->due - now();
    return left > 0 ? left : 0;
}

bool ccurl_take(struct ccurl_client *client, struct ccurl_answer *answer) {
    if (!client->has_ended) return false;
    client->has_ended = false;
    *answer = client->answer;
    answer->body = client->body;
    answer->body_count = client->body_count;
    return true;
}

const char *ccurl_text(int code) { return curl_easy_strerror((CURLcode)code); }

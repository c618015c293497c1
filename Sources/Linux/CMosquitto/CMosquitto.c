#include "CMosquitto.h"

#include <errno.h>
#include <mosquitto.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct cmosquitto_client {
    struct mosquitto *mosquitto;
    char *host;
    int port;
    int keep_alive;
    bool failed_in_tls;
    /// The kernel's error of the last call that failed with one.
    int error;
    /// The first thing that went wrong, which the later ones follow from.
    char reason[256];
    struct cmosquitto_handlers handlers;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start(void) { mosquitto_lib_init(); }

// Callbacks of libmosquitto

static void connected(struct mosquitto *mosquitto, void *context, int code, int flags) {
    struct cmosquitto_client *client = context;
    (void)mosquitto;
    if (client->handlers.connected) client->handlers.connected(client->handlers.context, code, flags & 1);
}

static void published(struct mosquitto *mosquitto, void *context, int number) {
    struct cmosquitto_client *client = context;
    (void)mosquitto;
    if (client->handlers.delivered) client->handlers.delivered(client->handlers.context, number);
}

static void subscribed(struct mosquitto *mosquitto, void *context, int number, int count, const int *granted) {
    struct cmosquitto_client *client = context;
    (void)mosquitto, (void)number;
    // 128: failure, in MQTT 3.1.1, 3.9.3.
    if (client->handlers.subscribed) client->handlers.subscribed(client->handlers.context, count > 0 && granted[0] < 128);
}

static void received(struct mosquitto *mosquitto, void *context, const struct mosquitto_message *message) {
    struct cmosquitto_client *client = context;
    (void)mosquitto;
    if (!client->handlers.received) return;
    client->handlers.received(
        client->handlers.context, message->topic, message->payload, (size_t)message->payloadlen, message->retain);
}

/// Keeps libmosquitto's words about an error, while the TLS connection that it is about still is there.
static void noted(struct mosquitto *mosquitto, void *context, int level, const char *text) {
    struct cmosquitto_client *client = context;
    if (level != MOSQ_LOG_ERR) return;
    bool is_openssl = strncmp(text, "OpenSSL Error", 13) == 0;
    if (is_openssl || strstr(text, "certificate") || strstr(text, "host name")) client->failed_in_tls = true;
    if (client->reason[0]) return;
    SSL *tls = mosquitto_ssl_get(mosquitto);
    long verdict = is_openssl && tls ? SSL_get_verify_result(tls) : X509_V_OK;
    if (verdict != X509_V_OK) text = X509_verify_cert_error_string(verdict);
    // OpenSSL Error[0]: error:0A000412:SSL routines::sslv3 alert bad certificate: the words behind the last colons.
    else if (is_openssl && strstr(text, "::")) text = strstr(text, "::") + 2;
    else if (strncmp(text, "Error: ", 7) == 0) text += 7;
    snprintf(client->reason, sizeof client->reason, "%s", text);
    client->reason[strcspn(client->reason, "\n")] = 0;
}

// Making

struct cmosquitto_client *cmosquitto_make(const char *id, const char *host, int port, int keep_alive) {
    pthread_once(&once, start);
    struct cmosquitto_client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->host = strdup(host);
    client->port = port;
    client->keep_alive = keep_alive;
    client->mosquitto = mosquitto_new(id, false, client);
    if (!client->host || !client->mosquitto) {
        cmosquitto_free(client);
        return NULL;
    }
    mosquitto_log_callback_set(client->mosquitto, noted);
    mosquitto_connect_with_flags_callback_set(client->mosquitto, connected);
    mosquitto_publish_callback_set(client->mosquitto, published);
    mosquitto_subscribe_callback_set(client->mosquitto, subscribed);
    mosquitto_message_callback_set(client->mosquitto, received);
    return client;
}

int cmosquitto_set_login(struct cmosquitto_client *client, const char *user, const char *password) {
    return mosquitto_username_pw_set(client->mosquitto, user, password);
}

int cmosquitto_set_tls(
    struct cmosquitto_client *client, const char *authority, const char *certificate, const char *key) {
    const char *folder = authority ? NULL : "/etc/ssl/certs";
    return mosquitto_tls_set(client->mosquitto, authority, folder, certificate, key, NULL);
}

int cmosquitto_set_will(
    struct cmosquitto_client *client, const char *topic, const uint8_t *bytes, size_t count, bool retained) {
    return mosquitto_will_set(client->mosquitto, topic, (int)count, bytes, 1, retained);
}

void cmosquitto_handle(struct cmosquitto_client *client, struct cmosquitto_handlers handlers) {
    client->handlers = handlers;
}

void cmosquitto_free(struct cmosquitto_client *client) {
    if (client->mosquitto) mosquitto_destroy(client->mosquitto);
    free(client->host);
    free(client);
}

// Driving

static int checked(struct cmosquitto_client *client, int code) {
    if (code != MOSQ_ERR_ERRNO) return code;
    client->error = errno;
    // libmosquitto's own, for what TLS ends without a word more.
    if (errno == EPROTO) client->failed_in_tls = true;
    if (errno == EPROTO && !client->reason[0])
        snprintf(client->reason, sizeof client->reason, "the broker ended TLS: look at certificate.pem and key.pem");
    return code;
}

int cmosquitto_connect(struct cmosquitto_client *client) {
    return checked(client, mosquitto_connect(client->mosquitto, client->host, client->port, client->keep_alive));
}

int cmosquitto_socket(struct cmosquitto_client *client) { return mosquitto_socket(client->mosquitto); }

bool cmosquitto_wants_to_write(struct cmosquitto_client *client) { return mosquitto_want_write(client->mosquitto); }

int cmosquitto_read(struct cmosquitto_client *client) { return checked(client, mosquitto_loop_read(client->mosquitto, 1)); }

int cmosquitto_write(struct cmosquitto_client *client) { return checked(client, mosquitto_loop_write(client->mosquitto, 1)); }

int cmosquitto_tick(struct cmosquitto_client *client) { return mosquitto_loop_misc(client->mosquitto); }

int cmosquitto_publish(
    struct cmosquitto_client *client, int *number, const char *topic, const uint8_t *bytes, size_t count, bool retained) {
    return mosquitto_publish(client->mosquitto, number, topic, (int)count, bytes, 1, retained);
}

int cmosquitto_subscribe(struct cmosquitto_client *client, const char *topic) {
    return mosquitto_subscribe(client->mosquitto, NULL, topic, 1);
}

void cmosquitto_disconnect(struct cmosquitto_client *client) { mosquitto_disconnect(client->mosquitto); }

// Words

const char *cmosquitto_reason(struct cmosquitto_client *client, int code) {
    if (client->reason[0]) return client->reason;
    switch (code) {
    case MOSQ_ERR_ERRNO: return strerror(client->error);
    case MOSQ_ERR_EAI: return "no such host, or no name server that answers";
    default: return mosquitto_strerror(code);
    }
}

bool cmosquitto_failed_in_tls(struct cmosquitto_client *client) { return client->failed_in_tls; }

const char *cmosquitto_refusal(int code) { return mosquitto_connack_string(code); }

void cmosquitto_bound_memory(uint64_t bytes) {
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    setrlimit(RLIMIT_DATA, &limit);
}

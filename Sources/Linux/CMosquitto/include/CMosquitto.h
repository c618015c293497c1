// One connection to an MQTT broker by libmosquitto, without a thread: the caller's event loop drives it. What libmosquitto
// reports from within its callbacks in whatever thread is kept here, and its errors become sentences.
//
// A function that can fail returns libmosquitto's code, 0 for success. Source: mosquitto.h of libmosquitto 2.0.

#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One attempt to connect, and the connection that comes of it.
struct cmosquitto_client;

struct cmosquitto_handlers {
    void *context;
    /// The broker answered: 0, or the reason of its refusal; and whether it had a session under this identifier.
    void (*connected)(void *context, int code, bool had_session);
    /// The broker acknowledged a message, by the number that `cmosquitto_publish` gave.
    void (*delivered)(void *context, int number);
    /// The broker took a subscription, or refused it.
    void (*subscribed)(void *context, bool granted);
    void (*received)(void *context, const char *topic, const uint8_t *bytes, size_t count, bool retained);
};

/// Makes a client with its session's identifier; NULL where memory is out or libmosquitto refuses the identifier. All
/// texts are copied.
///
/// - keep_alive: Seconds of silence after which a ping is sent.
struct cmosquitto_client *cmosquitto_make(const char *id, const char *host, int port, int keep_alive);
int cmosquitto_set_login(struct cmosquitto_client *client, const char *user, const char *password);
/// Has the connection go through TLS, where the broker's certificate and its name are always checked. `authority` is a
/// file of certificates that are trusted, NULL for the system's; `certificate` and `key` are the client's own, NULL for
/// neither.
int cmosquitto_set_tls(
    struct cmosquitto_client *client, const char *authority, const char *certificate, const char *key);
/// Sets the message that the broker publishes when this connection ends without a word.
int cmosquitto_set_will(
    struct cmosquitto_client *client, const char *topic, const uint8_t *bytes, size_t count, bool retained);
/// From now on callbacks are called, by the thread that calls the functions below.
void cmosquitto_handle(struct cmosquitto_client *client, struct cmosquitto_handlers handlers);
/// Resolves the broker's name, connects and begins TLS: blocks for as long as the network takes, and calls no handler.
int cmosquitto_connect(struct cmosquitto_client *client);
/// The socket, which belongs to the client; -1 where there is none.
int cmosquitto_socket(struct cmosquitto_client *client);
bool cmosquitto_wants_to_write(struct cmosquitto_client *client);
/// Does what can be done without waiting.
int cmosquitto_read(struct cmosquitto_client *client);
int cmosquitto_write(struct cmosquitto_client *client);
/// Sends a ping where one is due, or finds that none was answered.
int cmosquitto_tick(struct cmosquitto_client *client);
/// Publishes with QoS 1. libmosquitto sends no more than 20 before the first is acknowledged, and keeps the others in
/// memory.
int cmosquitto_publish(
    struct cmosquitto_client *client, int *number, const char *topic, const uint8_t *bytes, size_t count, bool retained);
int cmosquitto_subscribe(struct cmosquitto_client *client, const char *topic);
/// Says good-bye, so that the broker does not publish the will.
void cmosquitto_disconnect(struct cmosquitto_client *client);
void cmosquitto_free(struct cmosquitto_client *client);
/// The last error, in the words of libmosquitto, OpenSSL or the kernel, without any secret.
const char *cmosquitto_reason(struct cmosquitto_client *client, int code);
/// Whether the last failure was one of TLS: a certificate or a key, of either side.
bool cmosquitto_failed_in_tls(struct cmosquitto_client *client);
/// The words of MQTT 3.1.1 for a broker's refusal.
const char *cmosquitto_refusal(int code);
/// Bounds what this process may have in memory, so that a packet that a broker announces as huge is refused.
void cmosquitto_bound_memory(uint64_t bytes);

#endif

struct BrokerOptions: Sendable, Equatable {
    var host: String
    var port: Int32
    /// The MQTT client identifier, under which the broker keeps the session.
    var client: String
    /// Seconds of silence on the connection after which an MQTT ping is sent.
    var keepAlive: Int32 = 600
    var login: Login?
    /// The paths of the TLS files; nil for a connection without TLS.
    var tls: TLS?
    /// The will: the message that the broker publishes if the connection ends without DISCONNECT.
    var will: Will?

    struct Login: Sendable, Equatable {
        var user: String
        var password: String?
    }

    /// The paths of PEM files for TLS.
    struct TLS: Sendable, Equatable {
        /// The path of the certificates to trust; nil to trust the system's.
        var authority: String?
        var certificate: String?
        var key: String?
    }

    struct Will: Sendable, Equatable {
        var topic: String
        var bytes: [UInt8]
        var isRetained: Bool
    }
}

enum BrokerEvent: Equatable {
    /// The broker accepted the connection; the value says whether it still had this client's session.
    case connected(hadSession: Bool)
    /// The broker acknowledged the message with this number.
    case delivered(number: Int32)
    /// The broker granted a subscription (true), or refused it (false).
    case subscribed(Bool)
    case received(topic: String, bytes: [UInt8], isRetained: Bool)
    /// The connection has ended, or could not be made.
    case ended(BrokerFailure)
}

/// Why there is no connection to the broker.
struct BrokerFailure: Error, Equatable, CustomStringConvertible {
    enum Kind: Equatable {
        /// The broker was not found or not reached, or the connection was lost.
        case lost
        /// The broker refused this client or its password.
        case refused
        /// A certificate or a key, the broker's or the client's, was not accepted.
        case tls
    }

    var kind: Kind
    /// What is wrong, in one sentence that contains no password.
    var description: String

    /// Advice in brackets to append to an error text of libmosquitto or OpenSSL; empty if there is none.
    static func mend(_ reason: String, usesTLS: Bool, wasAccepted: Bool) -> String {
        if usesTLS, reason.contains("alert") { return " (the broker refuses TLS: look at certificate.pem and key.pem)" }
        // A broker's port for TLS ends a connection made without TLS, and its port without TLS ends one made with TLS.
        let isEnd = ["connection was lost", "unexpected eof", "wrong version number"].contains { reason.contains($0) }
        guard isEnd, !wasAccepted else { return "" }
        return " (is that the broker's port \(usesTLS ? "for mqtts" : "for mqtt, without TLS")?)"
    }
}

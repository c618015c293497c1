/// The options of a connection to the broker.
struct BrokerOptions: Sendable, Equatable {
    var host: String
    var port: Int32
    /// The identifier under which the broker keeps the session.
    var client: String
    /// Seconds of silence after which a ping is sent.
    var keepAlive: Int32 = 600
    var login: Login?
    /// nil for a connection without TLS.
    var tls: TLS?
    /// The message that the broker publishes when the connection ends without a word.
    var will: Will?

    struct Login: Sendable, Equatable {
        var user: String
        var password: String?
    }

    /// Paths of PEM files.
    struct TLS: Sendable, Equatable {
        /// Certificates that are trusted; nil for the system's.
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

/// An event on a connection to the broker.
enum BrokerEvent: Equatable {
    /// The broker took the connection; whether it had kept a session.
    case connected(hadSession: Bool)
    /// The broker acknowledged the message of this number.
    case delivered(number: Int32)
    /// The broker took a subscription, or refused it.
    case subscribed(Bool)
    case received(topic: String, bytes: [UInt8], isRetained: Bool)
    /// The connection is over, or was never made.
    case ended(BrokerFailure)
}

/// Why there is no connection to the broker.
struct BrokerFailure: Error, Equatable, CustomStringConvertible {
    enum Kind: Equatable {
        /// The broker was not found or not reached, or the connection was lost.
        case lost
        /// The broker refused this client or its password.
        case refused
        /// A certificate or a key, the broker's or the client's own.
        case tls
    }

    var kind: Kind
    /// One sentence, without a secret.
    var description: String

    /// Advice, in brackets, to go behind a reason of libmosquitto or OpenSSL that does not itself say what to look at;
    /// empty where there is none.
    static func mend(_ reason: String, usesTLS: Bool, wasAccepted: Bool) -> String {
        if usesTLS, reason.contains("alert") { return " (the broker refuses TLS: look at certificate.pem and key.pem)" }
        // Without TLS the broker's port for TLS ends the connection, and the other way round.
        let isEnd = ["connection was lost", "unexpected eof", "wrong version number"].contains { reason.contains($0) }
        guard isEnd, !wasAccepted else { return "" }
        return " (is that the broker's port \(usesTLS ? "for mqtts" : "for mqtt, without TLS")?)"
    }
}

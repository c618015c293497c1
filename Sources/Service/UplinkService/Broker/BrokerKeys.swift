internal import Glibc
internal import Store

/// The password and the TLS keys for the MQTT broker, from the owner's folder or from systemd's credentials.
struct BrokerKeys: Sendable, Equatable {
    var password: String?
    var tls = BrokerOptions.TLS()

    /// Why the broker's password or the TLS keys cannot be used, and how to correct it.
    struct Mistake: Error, Equatable, CustomStringConvertible { var description: String }

    /// - Parameter prefix: The beginning of each file's path. It is `/etc/sextant/uplink/`, or `uplink_` in the folder
    ///   of systemd's credentials, where `LoadCredential=uplink:FOLDER` puts the files (systemd.exec(5); from the
    ///   manual, not tried on a Pi).
    static func read(prefix: String) throws(Mistake) -> BrokerKeys {
        func path(_ name: String) -> String? {
            let path = prefix + name
            return unsafe access(path, F_OK) == 0 ? path : nil
        }
        var keys = BrokerKeys()
        if let path = path("password") {
            let bytes: [UInt8]?
            do { bytes = try StoreFile.read(path, upTo: 4096) } catch { throw Mistake(description: "\(error)") }
            // Some editors end a line with two characters, which are one character of a Swift string, and no "\n".
            let lines = String(decoding: bytes ?? [], as: UTF8.self).split(maxSplits: 1, whereSeparator: \.isNewline)
            let text = lines.first ?? ""
            guard !text.isEmpty else { throw Mistake(description: "\(path): empty; write the password into it") }
            keys.password = String(text)
        }
        keys.tls = BrokerOptions.TLS(
            authority: path("ca.pem"), certificate: path("certificate.pem"), key: path("key.pem"))
        guard (keys.tls.certificate == nil) == (keys.tls.key == nil) else {
            let missing = keys.tls.key == nil ? "key.pem" : "certificate.pem"
            throw Mistake(description: "\(prefix)\(missing): missing; a certificate and its key are given together")
        }
        return keys
    }
}

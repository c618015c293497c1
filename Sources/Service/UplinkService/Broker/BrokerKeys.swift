internal import Glibc
internal import Store

/// The password and the keys that the owner put into a folder, or that systemd hands over as credentials.
struct BrokerKeys: Sendable, Equatable {
    var password: String?
    var tls = BrokerOptions.TLS()

    /// Why they cannot be used, and the mend.
    struct Mistake: Error, Equatable, CustomStringConvertible { var description: String }

    /// - Parameter prefix: The folder and what stands before each file's name in it: `/etc/sextant/uplink/`, or
    ///   `uplink_` in the folder of systemd's credentials, where `LoadCredential=uplink:FOLDER` puts them
    ///   (systemd.exec(5); by reading, not tried on a Pi).
    static func read(prefix: String) throws(Mistake) -> BrokerKeys {
        func path(_ name: String) -> String? {
            let path = prefix + name
            return unsafe access(path, F_OK) == 0 ? path : nil
        }
        var keys = BrokerKeys()
        if let path = path("password") {
            let bytes: [UInt8]?
            do { bytes = try StoreFile.read(path, upTo: 4096) } catch { throw Mistake(description: "\(error)") }
            let text = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n", maxSplits: 1).first ?? ""
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

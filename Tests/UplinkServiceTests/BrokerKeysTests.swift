import Foundation
import Testing

@testable import UplinkService

@Suite("The uplink's password and keys")
final class BrokerKeysTests {
    private let folder = NSTemporaryDirectory() + "uplink-keys-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ name: String, _ text: String = "PEM") throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    @Test func `an empty folder gives neither a password nor a key`() throws {
        #expect(try BrokerKeys.read(prefix: folder + "/") == BrokerKeys())
    }

    @Test(arguments: ["\n", "\r\n"])
    func `the password is the first line of its file`(end: String) throws {
        try write("password", "a secret  word\(end)more\(end)")
        #expect(try BrokerKeys.read(prefix: folder + "/").password == "a secret  word")
    }

    @Test func `files are found by the names that systemd gives credentials`() throws {
        for name in ["uplink_ca.pem", "uplink_certificate.pem", "uplink_key.pem"] { try write(name) }
        let tls = try BrokerKeys.read(prefix: folder + "/uplink_").tls
        #expect(tls.authority == folder + "/uplink_ca.pem")
        #expect(tls.certificate == folder + "/uplink_certificate.pem")
        #expect(tls.key == folder + "/uplink_key.pem")
    }

    @Test(arguments: [("certificate.pem", "key.pem"), ("key.pem", "certificate.pem")])
    func `a certificate without its key is refused, and a key without its certificate`(
        given: String, missing: String
    ) throws {
        try write(given)
        let mistake = try #require(throws: BrokerKeys.Mistake.self) { try BrokerKeys.read(prefix: folder + "/") }
        #expect(mistake.description.contains("\(missing): missing"))
    }

    @Test func `an empty password is refused`() throws {
        try write("password", "\n")
        let mistake = try #require(throws: BrokerKeys.Mistake.self) { try BrokerKeys.read(prefix: folder + "/") }
        #expect(mistake.description.contains("password: empty; write the password into it"))
    }
}

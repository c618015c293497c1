import Foundation
import Testing

@testable import Tracker

@Suite("Last rate")
struct LastRateTests {
    @Test func `a rate is kept for its device alone, and only the owner may read it`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "sextant-rate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let rate = LastRate(directory: directory.path)
        #expect(rate.load(for: "/dev/serial0") == nil)
        #expect(rate.save(9600, for: "/dev/serial0") == nil && rate.save(38_400, for: "/dev/serial0") == nil)
        #expect(rate.load(for: "/dev/serial0") == 38_400 && rate.load(for: "/dev/serial1") == nil)
        let file = directory.appending(path: "receiver.json").path
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `what cannot be kept says why, and without a directory nothing is kept`() {
        let failure = LastRate(directory: "/none/such").save(9600, for: "/dev/serial0")
        #expect(failure == "/none/such/receiver.json: No such file or directory; create its directory first")
        #expect(LastRate(directory: nil).save(9600, for: "/dev/serial0") == nil)
    }
}

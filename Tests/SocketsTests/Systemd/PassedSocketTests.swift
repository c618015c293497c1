import Glibc
import SextantReactor
import SextantSockets
import Testing

/// The variables alone: what passes descriptors themselves is tested with the daemon, whose numbers begin at 3.
@Suite("Sockets that systemd passes")
struct PassedSocketTests {
    private func sockets(_ environment: [String: String]) throws(PassedSocketError) -> [PassedSocket] {
        try ServiceManager(environment: { environment[$0] }, process: 77).sockets
    }

    @Test(arguments: [
        [:], ["LISTEN_FDS": "2"], ["LISTEN_FDS": "2", "LISTEN_PID": "78"], ["LISTEN_FDS": "0", "LISTEN_PID": "77"],
        ["LISTEN_PID": "77"],
    ])
    func `no passed sockets, or another process's, give an empty list`(environment: [String: String]) throws {
        #expect(try sockets(environment).isEmpty)
    }

    @Test(arguments: ["", "two", "-1"])
    func `an invalid count is an error`(text: String) {
        #expect(throws: PassedSocketError.noCount(text)) {
            try sockets(["LISTEN_PID": "77", "LISTEN_FDS": text, "LISTEN_FDNAMES": "sextant"])
        }
    }

    @Test func `names that do not match the count are an error`() {
        #expect(throws: PassedSocketError.unnamed(count: 2, names: ["sextant"])) {
            try sockets(["LISTEN_PID": "77", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "sextant"])
        }
        #expect(throws: PassedSocketError.unnamed(count: 1, names: [])) {
            try sockets(["LISTEN_PID": "77", "LISTEN_FDS": "1"])
        }
    }

    @Test func `a socket with an unknown name is an error`() {
        #expect(throws: PassedSocketError.unknownName("cups.socket", number: 3)) {
            try sockets(["LISTEN_PID": "77", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "cups.socket"])
        }
    }

    /// The numbers are those of whatever the test's own process has open, which is no Bluetooth socket.
    @Test func `of two Bluetooth sockets the last counts and the other is closed`() throws {
        let environment = [
            "LISTEN_PID": "77", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "bluetooth:bluetooth:bluetooth",
        ]
        var closed: [Int32] = []
        let manager = try ServiceManager(
            environment: { environment[$0] }, process: 77, close: { closed.append($0) })
        #expect(manager.sockets.map(\.role) == [.bluetooth])
        #expect(closed == [3, 4])
    }

    @Test func `a descriptor that is named bluetooth and is something else stops nothing`() throws {
        let found = try sockets(["LISTEN_PID": "77", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "bluetooth"])
        #expect(found.map(\.role) == [.bluetooth])
        #expect(found.first?.isFitting == false)
    }

    @Test(arguments: [
        PassedSocketError.noCount("x"), .unnamed(count: 1, names: []), .unknownName("x", number: 3),
        .unfitting(.sextant, number: 3), .unfitting(.gpsd, number: 4), .unfitting(.bluetooth, number: 5),
        .repeated(.sextant),
    ])
    func `every error has a one-line message`(error: PassedSocketError) {
        #expect(!error.description.contains("\n"))
        #expect(error.description.count > 40)
    }
}

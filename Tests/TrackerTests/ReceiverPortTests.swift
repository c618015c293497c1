import Boards
import Emulation
import Hardware
import LinuxHardware
import Receivers
import SextantReactor
import SextantUnits
import TestSupport
import Testing
import Tracker

/// The kernel's port, with a pseudo-terminal's master for a receiver.
@Suite("The receiver's port")
struct ReceiverPortTests {
    private let reactor: Reactor
    private let receiver: PseudoTerminal
    private let hardware: LinuxTrackerHardware

    init() throws {
        reactor = try Reactor(
            time: .driven(DrivenClock(utc: UTCInstant(nanoseconds: 0), isSynchronized: false)))
        receiver = try PseudoTerminal()
        hardware = LinuxTrackerHardware(device: receiver.slavePath, reactor: reactor)
    }

    /// Reads from the receiver's end what has come.
    private func takeReceived() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case .bytes(let count) = receiver.read(into: &buffer) { bytes += buffer[..<count] }
        return bytes
    }

    /// Serves until something has happened: the kernel hands a terminal's bytes over in a worker of its own.
    private func serve(until hasHappened: () -> Bool) throws {
        try reactor.serve(until: "the receiver's bytes", hasHappened)
    }

    @Test func `written bytes reach the receiver, and its answers are read`() throws {
        let port = try hardware.openPort(baud: 9600)
        var heard: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        try port.start { if case .bytes(let count) = port.read(into: &buffer) { heard += buffer[..<count] } }
        try port.write([0xB5, 0x62, 0x0A].span)
        #expect(takeReceived() == [0xB5, 0x62, 0x0A])
        #expect(port.unsentByteCount == 0)
        _ = receiver.write([1, 2].span)
        try serve { heard.count == 2 }
        #expect(heard == [1, 2])
    }

    @Test func `a blocked line refuses whole commands past 64 KiB, and later sends the rest in order`() throws {
        let port = try hardware.openPort(baud: 9600)
        try port.start {}
        // A line's length apart, so that a command that were cut would be seen.
        let command = (0..<1000).map { UInt8($0 % 251) }
        var accepted = 0
        var refusal: HardwareFailure?
        while refusal == nil, accepted < 200 {
            do throws(HardwareFailure) {
                try port.write(command.span)
                accepted += 1
            } catch {
                refusal = error
            }
        }
        let said = try #require(refusal).description
        #expect(said.hasPrefix("\(receiver.slavePath): ") && said.contains("bytes wait for the line"))
        #expect(port.unsentByteCount > 64_000)
        var received: [UInt8] = []
        while received.count < accepted * command.count {
            received += takeReceived()
            try reactor.serveReady()
        }
        #expect(received == Array((0..<accepted).map { _ in command }.joined()))
        try port.write([7].span)
        #expect(takeReceived() == [7])
    }

    @Test func `a resting port sends waiting bytes and keeps received ones`() throws {
        let port = try hardware.openPort(baud: 9600)
        var calls = 0
        var buffer = [UInt8](repeating: 0, count: 64)
        try port.start {
            calls += 1
            _ = port.read(into: &buffer)
        }
        try port.write([UInt8](repeating: 5, count: 40_000).span)
        port.rest()
        _ = receiver.write([1].span)
        var received = 0
        while received < 40_000 {
            received += takeReceived().count
            try reactor.serveReady()
        }
        #expect(calls == 0)
        try port.listen()
        try serve { calls > 0 }
        #expect(calls == 1 && buffer[0] == 1)
    }

    @Test func `the transmit line can be held low and released, but not on a device that is lost`() throws {
        // A pseudo-terminal does not tell its break. That the kernel is asked for one shows when it refuses.
        var receiver: PseudoTerminal? = try PseudoTerminal()
        let hardware = LinuxTrackerHardware(device: try #require(receiver?.slavePath), reactor: reactor)
        let port = try hardware.openPort(baud: 9600)
        for isLow in [true, false] { #expect(throws: Never.self) { try port.holdTransmitterLow(isLow) } }
        receiver = nil
        for isLow in [true, false] {
            #expect(throws: HardwareFailure.self) { try port.holdTransmitterLow(isLow) }
        }
    }

    @Test func `an absent device is missing, and a device that is not serial is refused`() throws {
        let absent = LinuxTrackerHardware(device: "/nonexistent/receiver", reactor: reactor)
        let missing = #expect(throws: HardwareFailure.self) { _ = try absent.openPort(baud: 9600) }
        #expect(missing?.isMissing == true)
        let file = LinuxTrackerHardware(device: "/dev/null", reactor: reactor)
        let refused = #expect(throws: HardwareFailure.self) { _ = try file.openPort(baud: 9600) }
        #expect(refused?.isMissing == false)
        #expect(refused?.description.hasPrefix("/dev/null: not a serial device") == true)
    }

    @Test func `the error for a line that no board assigns names its role`() throws {
        #expect(throws: HardwareFailure("powerEnable: no GPIO line is assigned to this role", isMissing: true)) {
            try hardware.openLine(.powerEnable) { _ in }
        }
        #expect(throws: HardwareFailure("wake: no GPIO line is assigned to this role", isMissing: true)) {
            try hardware.setLine(.wake, true)
        }
    }

    @Test func `the error for a line that the host lacks names its role and the mend`() {
        let line = BoardLine(name: "none-such-line", activeLow: false, safe: nil, bias: .pullUp)
        let hardware = LinuxTrackerHardware(
            device: receiver.slavePath, lines: [.powerEnable: line, .motionInterrupt: line], reactor: reactor)
        for role in [.powerEnable, .motionInterrupt] as [LineRole] {
            let failure = #expect(throws: HardwareFailure.self) { _ = try hardware.openLine(role) { _ in } }
            #expect(failure?.description.hasPrefix("\(role): none-such-line: no such line; ") == true)
            #expect(failure?.isMissing == true)
        }
    }
}

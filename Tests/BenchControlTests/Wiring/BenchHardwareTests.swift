import BenchControl
import Boards
import Hardware
import Receivers
import SextantReactor
import SextantUnits
import Testing
import Tracker

@Suite("The bench's hardware")
struct BenchHardwareTests {
    /// What the harness was told.
    private final class Told {
        var reports: [BenchReport] = []
    }

    private let reactor: Reactor
    private let hardware: BenchHardware
    private let told = Told()

    init() throws {
        let clock = DrivenClock(
            now: MonotonicInstant(nanoseconds: 77), utc: UTCInstant(nanoseconds: 0), isSynchronized: false)
        reactor = try Reactor(time: .driven(clock))
        let lines: [LineRole: BoardLine] = [
            .powerEnable: BoardLine(name: "GPIO17", activeLow: false, safe: .inactive, bias: .asIs),
            .backupSupply: BoardLine(name: "GPIO23", activeLow: false, safe: .active, bias: .asIs),
            .motionInterrupt: BoardLine(name: "GPIO22", activeLow: false, safe: nil, bias: .asIs),
            .pulsePerSecond: BoardLine(name: "GPIO18", activeLow: false, safe: nil, bias: .asIs),
        ]
        hardware = BenchHardware(
            device: "/dev/virtual", lines: lines, reactor: reactor, tell: { [told] in told.reports.append($0) })
    }

    @Test func `each action of the daemon on the port is reported, and stops virtual time until it is answered`() throws
    {
        let port = try hardware.openPort(baud: 9600)
        #expect(hardware.hasActed)
        hardware.hasActed = false
        try port.write([0xB5, 0x62].span)
        #expect(hardware.hasActed)
        try port.setBaud(38_400)
        try port.holdTransmitterLow(true)
        #expect(told.reports == [.setBaud(9600), .uart([0xB5, 0x62]), .setBaud(38_400), .transmitterLow(true)])
        #expect(port.link == .uart && port.unsentByteCount == 0)
    }

    @Test func `bytes from the receiver wake the daemon, unless reading is suspended`() throws {
        let port = try hardware.openPort(baud: 9600)
        var heard: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        try port.start { if case .bytes(let count) = port.read(into: &buffer) { heard += buffer[..<count] } }
        hardware.feed([1, 2])
        try reactor.serveReady()
        #expect(heard == [1, 2] && reactor.wakeUps == 1)
        port.rest()
        hardware.feed([3])
        hardware.feed([4])
        try reactor.serveReady()
        #expect(heard == [1, 2] && reactor.wakeUps == 1)
        try port.listen()
        try reactor.serveReady()
        #expect(heard == [1, 2, 3, 4] && reactor.wakeUps == 2)
        hardware.feed([5])
        port.discardInput()
        try reactor.serveReady()
        #expect(heard == [1, 2, 3, 4])
    }

    @Test func `an unplugged port is reported lost once, cannot be opened, and appears when plugged in`() throws {
        var appearances = 0
        hardware.watchDevice { appearances += 1 }
        let port = try hardware.openPort(baud: 9600)
        var transfers: [Transfer] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        try port.start { transfers.append(port.read(into: &buffer)) }
        hardware.unplug()
        try reactor.serveReady()
        #expect(transfers == [.disconnected(errno: 0)])
        port.close()
        let failure = #expect(throws: HardwareFailure.self) { _ = try hardware.openPort(baud: 9600) }
        #expect(failure?.isMissing == true)
        hardware.feed([1])
        hardware.plug()
        hardware.plug()
        #expect(appearances == 1)
        _ = try hardware.openPort(baud: 9600)
    }

    @Test func `outputs start at the level of the board's resistors, and only outputs can be set`() throws {
        #expect(try !hardware.openLine(.powerEnable) { _ in })
        #expect(try hardware.openLine(.backupSupply) { _ in })
        #expect(try !hardware.openLine(.motionInterrupt) { _ in })
        try hardware.setLine(.powerEnable, true)
        let taken: [BenchReport] = [.setLine(.powerEnable, false), .setLine(.backupSupply, true)]
        #expect(told.reports == taken + [.setLine(.powerEnable, true)])
        for role in [.reset, .motionInterrupt] as [LineRole] {
            #expect(throws: HardwareFailure("\(role): not opened as an output")) { try hardware.setLine(role, true) }
        }
    }

    @Test func `opening a line that the board does not have is an error`() {
        #expect(throws: HardwareFailure("reset: no line is assigned to this role", isMissing: true)) {
            try hardware.openLine(.reset) { _ in }
        }
    }

    @Test func `changes of an input arrive if the daemon listens to it`() throws {
        var events: [InputEvent] = []
        _ = try hardware.openLine(.motionInterrupt) { events.append($0) }
        _ = try hardware.openLine(.powerEnable) { events.append($0) }
        #expect(hardware.change(.motionInterrupt, to: true))
        #expect(!hardware.change(.pulsePerSecond, to: true))
        #expect(!hardware.change(.powerEnable, to: true))
        #expect(events == [.shows(hasRisen: true, isActive: true)])
        #expect(hardware.edgeCount == 1)
    }
}

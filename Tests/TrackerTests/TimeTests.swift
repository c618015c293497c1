import ClientProtocol
import Configuration
import Engine
import Foundation
import NMEA0183
import SextantReactor
import SextantUnits
import Testing
import TimeService
import Tracker

@Suite("The tracker and the time for the host's clock")
struct TrackerTimeTests {
    /// One epoch a second, from noon on.
    private static func send(_ seconds: Range<Int>, to rig: Rig) throws {
        for second in seconds {
            try rig.pass(milliseconds: 1000)
            let parts = [12 + second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            let time = parts.joined() + ".00"
            var bytes: [UInt8] = []
            NMEAEncoder.append("GNRMC,\(time),A,4722.61335,N,00832.50181,E,1.0,90.0,201126,,,A", to: &bytes)
            NMEAEncoder.append(
                "GNGGA,\(time),4722.61335,N,00832.50181,E,1,12,0.56,409.0,M,47.0,M,,", to: &bytes)
            rig.hardware.port?.feed(bytes)
        }
    }

    private static func readings(_ inputs: [Input]) -> Int {
        inputs.count { if case .clockRead = $0 { true } else { false } }
    }

    @Test func `without the time service no clock is read for an epoch`() throws {
        let rig = try Rig()
        try Self.send(0..<20, to: rig)
        let inputs = try rig.inputs
        #expect(Self.readings(inputs) == 0)
        #expect(!inputs.contains { if case .timeServed = $0 { true } else { false } })
        #expect(rig.hardware.pulseOpenings.isEmpty)
    }

    @Test func `with it the clocks are read once an epoch, and one line says that chrony is not there`() throws {
        var time = TimeSettings()
        time.chrony = "/nonexistent/chrony.sock"
        let rig = try Rig(time: time)
        // A receiver that says nothing of leap seconds is believed after 13 minutes.
        try Self.send(0..<800, to: rig)
        let inputs = try rig.inputs
        #expect((797...800).contains(Self.readings(inputs)))
        #expect(inputs.count { $0 == .timeSink(.absent, of: .messages) } == 1)
        #expect(rig.log.lines.count { $0.contains("/nonexistent/chrony.sock") } == 1)
    }

    @Test func `the last pulse is read with each epoch's clocks, and nothing wakes the daemon for it`() throws {
        func run(_ time: TimeSettings?) throws -> (rig: Rig, wakes: UInt64) {
            let rig = try Rig(time: time)
            rig.hardware.pulses = FakePulses()
            rig.hardware.pulses?.pulse = Pulse(sequence: 7, wall: UTCInstant(nanoseconds: 5))
            try Self.send(0..<20, to: rig)
            return (rig, rig.reactor.wakeUps)
        }
        var time = TimeSettings()
        time.pulse = TimeSettings.Pulse()
        let (rig, wakes) = try run(time)
        let pulses = try rig.inputs.compactMap { if case .clockRead(let reading) = $0 { reading.pulse } else { nil } }
        #expect(pulses.count == Self.readings(try rig.inputs) && Set(pulses.map(\.sequence)) == [7])
        #expect(rig.hardware.pulseOpenings == ["/dev/pps0"])
        #expect(try run(nil).wakes == wakes)
    }

    @Test func `a device of pulses that is not there is told once, and used when it comes`() throws {
        var time = TimeSettings()
        time.pulse = TimeSettings.Pulse()
        let rig = try Rig(time: time)
        try Self.send(0..<10, to: rig)
        #expect(rig.log.lines.count { $0.contains("/dev/pps0: not there; put it there") } == 1)
        rig.hardware.pulses = FakePulses()
        rig.hardware.pulses?.pulse = Pulse(sequence: 7, wall: UTCInstant(nanoseconds: 5))
        try Self.send(10..<12, to: rig)
        let pulses = try rig.inputs.compactMap { if case .clockRead(let reading) = $0 { reading.pulse } else { nil } }
        #expect(pulses.count == 2)
        // Unplugged, it is opened anew.
        rig.hardware.pulses?.failure = HardwareFailure("/dev/pps0: gone")
        let before = rig.hardware.pulseOpenings.count
        try Self.send(12..<15, to: rig)
        #expect(rig.hardware.pulseOpenings.count == before + 2)
    }

    @Test func `what is wrong with the pulse is one line that names it and the mend`() throws {
        var time = TimeSettings()
        time.pulse = TimeSettings.Pulse()
        let rig = try Rig(time: time)
        rig.hardware.pulses = FakePulses()
        rig.clock.isSynchronized = true
        let noon = UTCInstant(nanoseconds: 1_795_176_000_000_000_000)
        let start = rig.clock.now
        for second in 0..<100 {
            // The first epoch comes a second after the start, and is read at once; its pulse was 0.1 s before, or 0.4.
            rig.clock.utc = noon.advanced(byNanoseconds: rig.clock.now.nanoseconds(since: start) - 900_000_000)
            let late: Int64 = second < 80 ? 0 : -300_000_000
            let edge = noon.advanced(byNanoseconds: Int64(second) * 1_000_000_000 + late)
            rig.hardware.pulses?.pulse = Pulse(sequence: UInt32(second + 1), wall: edge)
            try Self.send(second..<second + 1, to: rig)
        }
        let lines = rig.log.lines.filter { $0.contains("pulse") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("-0.300 s off the second after the one before") == true)
    }
}

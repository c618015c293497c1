import ClientProtocol
import Configuration
import Engine
import Foundation
import NMEA0183
import SextantUnits
import Testing
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
    }

    @Test func `with it the clocks are read once an epoch, and one line says that chrony is not there`() throws {
        var time = TimeSettings()
        time.chrony = "/nonexistent/chrony.sock"
        let rig = try Rig(time: time)
        // A receiver that says nothing of leap seconds is believed after 13 minutes.
        try Self.send(0..<800, to: rig)
        let inputs = try rig.inputs
        #expect((797...800).contains(Self.readings(inputs)))
        #expect(inputs.count { $0 == .timeSink(.absent) } == 1)
        #expect(rig.log.lines.count { $0.contains("/nonexistent/chrony.sock") } == 1)
    }
}

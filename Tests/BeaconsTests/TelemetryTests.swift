import Beacons
import Testing

/// Eddystone-TLM, as its specification lays it out.
@Suite("Telemetry of beacons")
struct TelemetryTests {
    /// Battery 3000 mV, 21.25 °C, 256 advertisements, 51.2 s.
    private static let frame = "1116AAFE20 00 0BB8 1540 00000100 00000200"

    private func telemetry(_ advertisement: String) -> BeaconTelemetry? {
        BeaconTelemetry(advertisement: bytes(advertisement).span)
    }

    @Test func `battery, temperature and uptime are in volts' thousandths, degrees and seconds`() throws {
        let found = try #require(telemetry("0303AAFE" + Self.frame))
        #expect(found.batteryMillivolts == 3000)
        #expect(found.temperature == 21.25)
        #expect(found.uptime == 51.2)
    }

    @Test func `below zero the temperature is negative`() throws {
        #expect(try #require(telemetry("1116AAFE20 00 0BB8 FE80 00000100 00000200")).temperature == -1.5)
    }

    @Test func `a beacon without a battery and a thermometer has neither`() throws {
        let found = try #require(telemetry("1116AAFE20 00 0000 8000 00000100 00000200"))
        #expect(found.batteryMillivolts == nil && found.temperature == nil)
    }

    @Test(arguments: [
        "1116AAFE20 01 0BB8 1540 00000100 00000200", "1016AAFE20 00 0BB8 1540 00000100 000002",
        "1716AAFE00E3 12345678901234678901 000000000001 0000", "11FFAAFE20 00 0BB8 1540 00000100 00000200", "",
    ])
    func `encrypted, short and other frames are none`(advertisement: String) {
        #expect(telemetry(advertisement) == nil)
    }

    @Test func `a frame cut anywhere is none`() {
        let whole = bytes(Self.frame)
        for count in whole.indices {
            #expect(BeaconTelemetry(advertisement: whole.span.extracting(first: count)) == nil)
        }
    }
}

/// The state of a beacon's battery and the like, as Eddystone-TLM tells it between the beacon's identities.
///
/// A telemetry frame has no identity of its own: it belongs to the identity that the same address sends.
public struct BeaconTelemetry: Sendable, Hashable {
    /// Millivolts; nil for a beacon without a battery.
    public var batteryMillivolts: UInt16?
    /// Degrees Celsius, in steps of 1/256; nil for a beacon that does not measure it.
    public var temperature: Double?
    /// Seconds since the beacon was powered or rebooted.
    public var uptime: Double
}

/// Eddystone-TLM, in a service's structure: type 16, service AA FE, frame 20, version 00, battery 2, temperature 2,
/// advertisements since the start 4, time since the start 4 in tenths of a second; most significant byte first.
///
/// Battery 0 and temperature 80 00 stand for none. Encrypted telemetry, version 01, is refused. Source: the
/// Eddystone-TLM specification by Google.
enum EddystoneTLM {
    private static let frame: UInt8 = 0x20
    private static let noTemperature: UInt16 = 0x8000
    /// With the structure's type.
    private static let byteCount = 17

    /// - Returns: Nil where the structure is something else.
    static func decode(_ structure: borrowing Span<UInt8>) -> BeaconTelemetry? {
        guard structure.count >= byteCount, structure[0] == AdvertisingStructureType.serviceData,
            structure.littleEndian(UInt16.self, at: 1) == EddystoneUID.service, structure[3] == frame,
            structure[4] == 0
        else { return nil }
        let battery = structure.bigEndian(UInt16.self, at: 5)
        let temperature = structure.bigEndian(UInt16.self, at: 7)
        return BeaconTelemetry(
            batteryMillivolts: battery == 0 ? nil : battery,
            temperature: temperature == noTemperature ? nil : Double(Int16(bitPattern: temperature)) / 256,
            uptime: Double(structure.bigEndian(UInt32.self, at: 13)) / 10)
    }
}

extension BeaconTelemetry {
    /// Reads the first telemetry of an advertisement; nil where there is none.
    public init?(advertisement: Span<UInt8>) {
        var structures = AdvertisingStructures(advertisement)
        while let place = structures.next() {
            guard let telemetry = EddystoneTLM.decode(advertisement.extracting(place)) else { continue }
            self = telemetry
            return
        }
        return nil
    }
}

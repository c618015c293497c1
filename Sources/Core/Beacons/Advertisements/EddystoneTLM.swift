/// A beacon's battery voltage, temperature and uptime, which the beacon reports in Eddystone-TLM frames between its
/// identity frames.
///
/// A telemetry frame contains no identity; it belongs to the identity that is sent from the same address.
public struct BeaconTelemetry: Sendable, Hashable {
    /// The battery voltage in millivolts; nil for a beacon without a battery.
    public var batteryMillivolts: UInt16?
    /// The temperature in degrees Celsius, in steps of 1/256; nil for a beacon that does not measure it.
    public var temperature: Double?
    /// Seconds since the beacon was powered or rebooted.
    public var uptime: Double
}

/// The Eddystone-TLM format, in a structure with service data.
///
/// The fields are: the type 16, the service AA FE, the frame type 20, the version 00 (all hexadecimal), the battery
/// voltage (2 bytes), the temperature (2 bytes), the number of advertisements since the start (4 bytes), and the time
/// since the start (4 bytes, in tenths of a second). These numbers are big-endian. A battery of 0 or a temperature of
/// 80 00 means that there is none. Encrypted telemetry, version 01, is refused. Source: the Eddystone-TLM specification
/// by Google.
enum EddystoneTLM {
    private static let frame: UInt8 = 0x20
    private static let noTemperature: UInt16 = 0x8000
    /// The smallest length in bytes of the structure, its type byte included.
    private static let byteCount = 17

    /// - Returns: Nil if the structure is not an unencrypted telemetry frame.
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
    /// Reads the first telemetry frame of an advertisement; nil if there is none.
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

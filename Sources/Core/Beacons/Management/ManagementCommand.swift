/// A command to the kernel's Bluetooth management socket.
///
/// Layout, little-endian: command (2 bytes), controller (2), length of the parameters (2), parameters. Source: BlueZ,
/// `doc/mgmt-api.txt` and `lib/mgmt.h`.
public enum ManagementCommand: Sendable, Equatable {
    /// Reads the list of controllers.
    case readControllers
    case readInformation(controller: UInt16)
    case setPowered(controller: UInt16)
    case setLowEnergy(controller: UInt16)
    /// Reads the list of advertisement monitors, including those of other programs.
    case readMonitors(controller: UInt16)
    /// Adds a monitor, by which the controller listens for advertisements, with one pattern for each beacon format.
    case addMonitor(controller: UInt16, Set<Beacon.Format>)
    case removeMonitor(controller: UInt16, handle: UInt16)
    /// Sets the interval and window of the monitor's scan; this takes effect when a scan begins.
    case setScan(controller: UInt16, ScanTiming)
    /// Reads how many different advertisements the controller can send, and the instance numbers of those that it sends
    /// at present.
    case readAdvertising(controller: UInt16)
    /// Sends an advertisement with the structures in `data` (here at most 27 bytes) until it is removed.
    ///
    /// The new advertisement replaces one with the same instance number; the kernel counts these numbers from 1.
    case addAdvertising(controller: UInt16, instance: UInt8, data: [UInt8])
    case removeAdvertising(controller: UInt16, instance: UInt8)

    /// The controller number in commands that are not meant for one controller, such as reading the list of
    /// controllers.
    private static let noController: UInt16 = 0xFFFF

    static let addAdvertisingCode: UInt16 = 0x003E
    static let removeAdvertisingCode: UInt16 = 0x003F

    /// The number of the command's kind, which the answer to it repeats.
    public var code: UInt16 {
        switch self {
        case .readControllers: 0x0003
        case .readInformation: 0x0004
        case .setPowered: 0x0005
        case .setLowEnergy: 0x000D
        case .readAdvertising: 0x003D
        case .addAdvertising: ManagementCommand.addAdvertisingCode
        case .removeAdvertising: ManagementCommand.removeAdvertisingCode
        case .setScan: 0x004C
        case .readMonitors: 0x0051
        case .addMonitor: 0x0052
        case .removeMonitor: 0x0053
        }
    }

    /// The number of the controller that the command is for, which the answer to it repeats.
    var index: UInt16 {
        switch self {
        case .readControllers: ManagementCommand.noController
        case .readInformation(let index), .setPowered(let index), .setLowEnergy(let index), .readMonitors(let index),
            .addMonitor(let index, _), .removeMonitor(let index, _), .setScan(let index, _),
            .readAdvertising(let index), .addAdvertising(let index, _, _), .removeAdvertising(let index, _):
            index
        }
    }

    public func encode() -> [UInt8] {
        let parameters = parameters
        var bytes: [UInt8] = []
        bytes.append(littleEndian: code)
        bytes.append(littleEndian: index)
        bytes.append(littleEndian: UInt16(clamping: parameters.count))
        return bytes + parameters
    }

    private var parameters: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .readControllers, .readInformation, .readMonitors, .readAdvertising: break
        case .setPowered, .setLowEnergy: bytes.append(1)
        case .addMonitor(_, let formats):
            let patterns = Beacon.Format.allCases.filter(formats.contains).map { $0.pattern }
            bytes.append(UInt8(clamping: patterns.count))
            for pattern in patterns { pattern.append(to: &bytes) }
        case .removeMonitor(_, let handle): bytes.append(littleEndian: handle)
        case .setScan(_, let timing):
            for (type, value) in [(0x0013 as UInt16, timing.interval), (0x0014, timing.window)] {
                bytes.append(littleEndian: type)
                bytes.append(2)
                bytes.append(littleEndian: value)
            }
        case .addAdvertising(_, let instance, let data):
            // The parameters are: the instance; flags, duration and timeout, each 0, which leaves it to the kernel; the
            // lengths of the data and of the scan response; the data.
            bytes.append(instance)
            bytes.append(littleEndian: 0 as UInt32)
            bytes.append(littleEndian: 0 as UInt16)
            bytes.append(littleEndian: 0 as UInt16)
            bytes += [UInt8(clamping: data.count), 0]
            bytes += data
        case .removeAdvertising(_, let instance): bytes.append(instance)
        }
        return bytes
    }
}

/// How often a radio listens for advertisements, and for how long each time.
public struct ScanTiming: Sendable, Hashable {
    /// The time from the beginning of one window to the beginning of the next, in units of 0.625 ms.
    public var interval: UInt16
    /// The length of a window in units of 0.625 ms; at most the interval between the beginnings of two windows.
    public var window: UInt16

    public init(interval: UInt16, window: UInt16) {
        self.interval = interval
        self.window = window
    }

    /// The part of the time in which the radio listens, 0 to 1.
    public var duty: Double { Double(window) / Double(interval) }

    /// Of two scan timings, the one in which the radio listens for the larger part of the time; nil stands for no scan.
    public static func longer(_ one: ScanTiming?, _ other: ScanTiming?) -> ScanTiming? {
        guard let one, let other else { return one ?? other }
        return one.duty >= other.duty ? one : other
    }
}

/// The bytes by which a controller that can filter recognizes a beacon; a controller that cannot filter passes on every
/// advertisement.
private struct AdvertisementPattern {
    var type: UInt8
    /// The offset of the pattern's bytes from the beginning of the structure's value.
    var offset: UInt8
    var value: [UInt8]

    /// The kernel demands room for 31 bytes in a pattern, even if fewer are used.
    private static let room = 31

    func append(to bytes: inout [UInt8]) {
        bytes += [type, offset, UInt8(clamping: value.count)]
        bytes += value + Array(repeating: 0, count: AdvertisementPattern.room - value.count)
    }
}

extension Beacon.Format {
    fileprivate var pattern: AdvertisementPattern {
        switch self {
        case .iBeacon:
            AdvertisementPattern(
                type: AdvertisingStructureType.manufacturerData, offset: 0, value: [0x4C, 0x00, 0x02, 0x15])
        case .altBeacon:
            AdvertisementPattern(type: AdvertisingStructureType.manufacturerData, offset: 2, value: [0xBE, 0xAC])
        case .eddystoneUID:
            AdvertisementPattern(type: AdvertisingStructureType.serviceData, offset: 0, value: [0xAA, 0xFE, 0x00])
        }
    }
}

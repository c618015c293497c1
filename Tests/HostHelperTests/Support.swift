import Foundation
import HostHelper
import HostSleep
import SextantUnits

/// The checked-out package that these tests are of.
let checkout = (1...3).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) { url, _ in
    url.deletingLastPathComponent()
}.path

func text(of path: String) throws -> String { try String(contentsOfFile: "\(checkout)/\(path)", encoding: .utf8) }

/// A host switch that answers as a test says.
///
/// A class, since what was done with it is asked afterwards.
final class FakeSwitch: SupplySwitch {
    var fault: SwitchFault?
    /// Why nothing can be read from it; nil where it answers.
    var problem: HostSwitchProblem?
    /// How many writes are lost before one arrives.
    var lostWrites = 0
    var isArmed = true
    private(set) var orders: [SwitchOrder] = []
    /// The wall clock by which it was read last.
    private(set) var wall: UTCInstant?
    private(set) var cuts = 0
    private(set) var disarms = 0

    func fault(in order: SwitchOrder, now: () -> UTCInstant) throws(HostSwitchProblem) -> SwitchFault? {
        orders.append(order)
        wall = now()
        if let problem { throw problem }
        return fault
    }

    func cut() throws(HostSwitchProblem) {
        cuts += 1
        if let problem { throw problem }
    }

    func disarm() throws(HostSwitchProblem) {
        disarms += 1
        if lostWrites > 0 { lostWrites -= 1 } else { isArmed = false }
    }

    func isClear() throws(HostSwitchProblem) -> Bool { !isArmed }
}

/// A power manager that accepts, or refuses as a test says.
final class FakeManager: PowerManager {
    var found: [String] = []
    var refusal: PowerManagerError?
    /// What the helper had kept when it asked; nil where it did not ask.
    private(set) var keptWhenAsked: String?
    private let kept: String

    init(kept: String) { self.kept = kept }

    func holders() throws(PowerManagerError) -> [String] { found }

    func powerOff() throws(PowerManagerError) {
        keptWhenAsked = (try? String(contentsOfFile: kept, encoding: .utf8)) ?? ""
        if let refusal { throw refusal }
    }
}

/// The two folders in `/run`, in a folder of the test's own that goes with it.
final class Folders {
    let path = FileManager.default.temporaryDirectory.appending(path: "sextant-host-\(UUID().uuidString)").path
    let paths: HostFolders

    init() throws {
        paths = HostFolders(daemon: "\(path)/sextant", helper: "\(path)/sextant-host")
        for folder in ["\(paths.daemon)/host", paths.helper] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to path: String, mode: Int = 0o644) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    var answer: HostAnswer? {
        guard let data = FileManager.default.contents(atPath: paths.answer) else { return nil }
        return try? HostAnswer(parsing: [UInt8](data))
    }
}

/// The instants that the tests judge requests at.
enum Now {
    static let wall = UTCInstant(nanoseconds: 1_795_000_000_000_000_000)
    static let uptime = MonotonicInstant(nanoseconds: 5_000_000_000_000)
    static let clocks = HostClocks(wall: { wall }, uptime: { uptime })
    /// Those of a host whose wall clock nobody vouches for.
    static let unsynchronized = HostClocks(wall: { nil }, uptime: { uptime })
}

extension HostRequest {
    /// A request that is right unless a test says otherwise.
    ///
    /// - Parameters:
    ///   - ahead: Seconds until the alarm.
    ///   - age: Seconds since it was made.
    static func sound(ahead: Int64 = 3600, age: Int64 = 1) -> HostRequest {
        HostRequest(
            order: SwitchOrder(
                alarm: Now.wall.advanced(byNanoseconds: ahead * 1_000_000_000), backstop: 7200, byMotion: true),
            hostSwitch: .pijuice, made: Now.uptime.advanced(byNanoseconds: -age * 1_000_000_000),
            wall: Now.wall.advanced(byNanoseconds: -age * 1_000_000_000))
    }
}

extension HostSwitchAddress {
    static let pijuice = HostSwitchAddress(model: "pijuice", bus: "/dev/i2c-1", address: 0x14)
}

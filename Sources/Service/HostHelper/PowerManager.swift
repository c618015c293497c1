internal import CSystemd

/// The service that decides whether the host is allowed to power off: systemd-logind, or a stand-in for tests.
public protocol PowerManager {
    /// The names of the sessions that are logged in and of the inhibitors that block a shutdown, for a person to read.
    func holders() throws(PowerManagerError) -> [String]
    /// Requests a power-off that sessions and inhibitors can block; returns once the request has been accepted.
    func powerOff() throws(PowerManagerError)
}

/// Why the power manager refused, or why it could not be asked.
public struct PowerManagerError: Error, Sendable, Equatable {
    public var text: String

    public init(_ text: String) { self.text = text }
}

/// The power manager systemd-logind, reached over the system's D-Bus.
///
/// A polkit rule permits the helper's user to power off, but not while others are logged in, and not against
/// inhibitors; logind itself checks these two permissions. Source: org.freedesktop.login1(5).
public struct Logind: PowerManager {
    /// The largest number of seconds for one D-Bus call.
    private static let longestCallSeconds: UInt32 = 10
    /// The session classes of logind in which no person is logged in: those of users' service managers and of jobs such
    /// as cron's.
    private static let unattended = ["manager", "manager-early", "background", "background-light", "none"]

    /// The address of the D-Bus message bus; nil for the system bus.
    private let address: String?

    /// - Parameter address: The address of a test's own bus; nil for the system bus.
    public init(address: String? = nil) { self.address = address }

    public func holders() throws(PowerManagerError) -> [String] {
        let bus = try LogindBus(at: address, longestCallSeconds: Logind.longestCallSeconds)
        let sessions = try bus.sessions().compactMap { line -> String? in
            let words = line.split(separator: " ", maxSplits: 2).map { String($0) }
            guard words.count >= 2, !Logind.unattended.contains(words[1]) else { return nil }
            return "the session of \(words[0])" + (words.count > 2 ? " at \(words[2])" : "")
        }
        let inhibitors = try bus.inhibitors().compactMap { line -> String? in
            let words = line.split(separator: " ", maxSplits: 2).map { String($0) }
            guard words.count == 3, words[0].split(separator: ":").contains("shutdown"), words[1].hasPrefix("block")
            else { return nil }
            return "the inhibitor of \(words[2])"
        }
        return sessions + inhibitors
    }

    public func powerOff() throws(PowerManagerError) {
        try LogindBus(at: address, longestCallSeconds: Logind.longestCallSeconds).powerOff()
    }
}

/// A connection to the system bus; it is closed when it goes out of scope.
@safe private struct LogindBus: ~Copyable {
    private let bus: OpaquePointer

    init(at address: String?, longestCallSeconds: UInt32) throws(PowerManagerError) {
        var opened: OpaquePointer?
        try unsafe LogindBus.check { why, size in
            // Safety: the address lives for the call, which copies it.
            guard let address else { return unsafe csystemd_open(&opened, nil, longestCallSeconds, why, size) }
            return unsafe csystemd_open(&opened, address, longestCallSeconds, why, size)
        }
        guard let opened = unsafe opened else { throw PowerManagerError("the system's D-Bus: no connection") }
        unsafe bus = opened
    }

    deinit { unsafe csystemd_close(bus) }

    func powerOff() throws(PowerManagerError) {
        try unsafe LogindBus.check { unsafe csystemd_power_off(bus, $0, $1) }
    }

    func sessions() throws(PowerManagerError) -> [Substring] {
        try unsafe lines { unsafe csystemd_sessions(bus, $0, $1, $2, $3) }
    }

    func inhibitors() throws(PowerManagerError) -> [Substring] {
        try unsafe lines { unsafe csystemd_inhibitors(bus, $0, $1, $2, $3) }
    }

    private typealias Text = UnsafeMutablePointer<CChar>?

    private func lines(_ call: (Text, Int, Text, Int) -> Int32) throws(PowerManagerError) -> [Substring] {
        var room = [CChar](repeating: 0, count: 8192)
        try unsafe LogindBus.check { why, size in
            // Safety: the call writes at most as many characters as the array holds, the final zero included, and keeps
            // no pointer.
            unsafe room.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress, $0.count, why, size) }
        }
        return LogindBus.text(room).split(separator: "\n")
    }

    /// Makes a D-Bus call, and throws the error text that it wrote if it failed.
    private static func check(_ call: (Text, Int) -> Int32) throws(PowerManagerError) {
        var why = [CChar](repeating: 0, count: 512)
        // Safety: the call writes at most as many characters as the array holds, the final zero included, and keeps no
        // pointer.
        let result = unsafe why.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress, $0.count) }
        guard result < 0 else { return }
        throw PowerManagerError(text(why))
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

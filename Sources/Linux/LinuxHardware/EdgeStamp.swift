import CGPIOD
import Glibc
import SextantReactor
import SextantUnits

/// Turns the kernel's timestamp of a GPIO edge into an instant of the boot-time clock.
///
/// The kernel stamps edges on CLOCK_MONOTONIC, which stands still while the board is suspended. The difference between
/// the two clocks is taken when the edge is read. If the board was suspended between the edge and the reading, the
/// instant is therefore late by the length of the suspend. Before Linux 5.7 the timestamp was of the wall clock, which
/// can step at any moment; such an edge gets the time at which it is read.
struct EdgeStamp: Equatable {
    /// The instant at which the edges were read, on the boot-time clock.
    var bootTime: MonotonicInstant
    var monotonicNanoseconds: Int64
    /// Whether the kernel's timestamps of edges are on CLOCK_MONOTONIC.
    var isMonotonic: Bool

    static func now() -> EdgeStamp {
        EdgeStamp(
            bootTime: Clock.now(), monotonicNanoseconds: cgpiod_stamp_time(), isMonotonic: stampsAreMonotonic)
    }

    /// Converts the kernel's timestamp of an edge to an instant that is never later than the reading of the edge.
    func instant(of stamp: Int64) -> MonotonicInstant {
        guard isMonotonic else { return bootTime }
        let age = max(0, monotonicNanoseconds - stamp)
        return bootTime.advanced(byNanoseconds: -age)
    }

    private static let stampsAreMonotonic = isMonotonic(kernel: kernelRelease, libraryVersion: cgpiod_version())

    /// Whether this kernel release stamps edges on CLOCK_MONOTONIC; always true with libgpiod 2, which requests it.
    static func isMonotonic(kernel release: String, libraryVersion: Int32) -> Bool {
        guard libraryVersion < 2 else { return true }
        let parts = release.split(separator: ".").prefix(2).map { Int($0.prefix { $0.isNumber }) ?? 0 }
        guard parts.count == 2 else { return false }
        return (parts[0], parts[1]) >= (5, 7)
    }

    private static var kernelRelease: String {
        var name = utsname()
        // Safety: the C function fills one struct, which outlives the call.
        guard unsafe uname(&name) == 0 else { return "" }
        // Safety: the bytes are a zero-terminated text, and are read only within the call.
        return unsafe withUnsafeBytes(of: name.release) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

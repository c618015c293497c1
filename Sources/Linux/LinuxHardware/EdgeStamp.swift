import CGPIOD
import Glibc
import Reactor
import Units

/// Turns the kernel's stamp of an edge into an instant of the boot-time clock.
///
/// The kernel stamps edges on CLOCK_MONOTONIC, which stands still while the board is suspended; the two clocks' distance
/// is taken when the edge is read, so an edge that waited through a suspend comes out late by its length. Before Linux
/// 5.7 the stamp was the wall clock's, which may step at any moment: there an edge bears the time of its reading.
struct EdgeStamp: Equatable {
    /// When the edges were read, on both clocks.
    var bootTime: MonotonicInstant
    var monotonicNanoseconds: Int64
    /// Whether the kernel's stamps are CLOCK_MONOTONIC's.
    var isMonotonic: Bool

    static func now() -> EdgeStamp {
        EdgeStamp(
            bootTime: Clock.now(), monotonicNanoseconds: cgpiod_stamp_time(), isMonotonic: stampsAreMonotonic)
    }

    /// Never later than the reading.
    func instant(of stamp: Int64) -> MonotonicInstant {
        guard isMonotonic else { return bootTime }
        let age = max(0, monotonicNanoseconds - stamp)
        return bootTime.advanced(byNanoseconds: -age)
    }

    private static let stampsAreMonotonic = isMonotonic(kernel: kernelRelease, libraryVersion: cgpiod_version())

    /// Whether a kernel of this release stamps edges on CLOCK_MONOTONIC; libgpiod 2 asks for it by name.
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
        // Safety: read within the call, as the zero-terminated text that it is.
        return unsafe withUnsafeBytes(of: name.release) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

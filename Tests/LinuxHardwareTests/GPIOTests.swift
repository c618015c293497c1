import CGPIOD
import Glibc
import Hardware
import Programs
import SextantUnits
import Testing

@testable import LinuxHardware

/// Whether this machine has a GPIO chip; what follows is about one that has none.
private let hasChip = !GPIOChip.paths.isEmpty

@Suite("GPIO lines where there is no chip", .enabled(if: !hasChip, "this machine has a GPIO chip"))
struct AbsentGPIOTests {
    @Test(arguments: ["GPIO17", "cp2112_gpio:2", "", "GPIO17:", "ünknown"])
    func `without any GPIO chip a line is not found, and the message says so`(name: String) {
        let output = #expect(throws: LineError.self) { _ = try GPIOOutputLine(name: name, active: false) }
        let input = #expect(throws: LineError.self) { _ = try GPIOInputLine(name: name, bias: .pullUp) }
        #expect(output == LineError(.notFound(nearest: []), line: name))
        #expect(input == output)
        #expect(
            output?.description
                == "\(name): no such line; there is no GPIO chip in /dev; is this the board, and its driver loaded?")
    }

    @Test(arguments: ["/dev/gpiochip0", "/dev/null", "/etc/passwd"])
    func `a file that is not a GPIO chip cannot be opened`(path: String) {
        #expect(throws: (any Error).self) { _ = try GPIOChip(path: path) }
        var held: OpaquePointer?
        #expect(unsafe cgpiod_request_output(path, 0, "sextant", false, true, &held) < 0)
        #expect(unsafe cgpiod_request_input(path, 0, "sextant", true, cgpiod_bias_pull_up, &held) < 0)
        #expect(unsafe held == nil)
    }
}

@Suite("GPIO line search")
struct GPIOSearchTests {
    /// A walk over these lines of one chip, `chip`, the unnamed ones nil.
    private func search(_ name: String, in lines: [String?]) -> GPIOSearch {
        var search = GPIOSearch(name: name)
        for (offset, line) in lines.enumerated() {
            let location = GPIOLocation(path: "/dev/gpiochip0", offset: UInt32(offset))
            search.note(name: line, place: "chip:\(offset)", location: location)
        }
        return search
    }

    @Test func `a line is found by its name`() throws {
        let location = try search("GPIO17", in: ["GPIO16", "GPIO17"]).result()
        #expect(location == GPIOLocation(path: "/dev/gpiochip0", offset: 1))
    }

    @Test func `a line without a name is found by its chip and number`() throws {
        let location = try search("chip:2", in: [nil, nil, nil]).result()
        #expect(location == GPIOLocation(path: "/dev/gpiochip0", offset: 2))
    }

    @Test func `a name that two lines have is refused with the places of both`() {
        #expect(throws: LineError(.ambiguous(places: ["chip:0", "chip:2"]), line: "EN")) {
            try search("EN", in: ["EN", nil, "EN"]).result()
        }
    }

    @Test func `a misspelt name is refused with similar line names`() {
        let names = (0..<54).map { "GPIO\($0)" }
        #expect(throws: LineError(.notFound(nearest: ["GPIO17", "GPIO7"]), line: "GPOI17")) {
            try search("GPOI17", in: names).result()
        }
        #expect(throws: LineError(.notFound(nearest: []), line: "enable-receiver")) {
            try search("enable-receiver", in: names).result()
        }
    }

    @Test(arguments: [("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("GPIO17", "gpio17", 4)])
    func `the distance between two names counts the letters to change`(left: String, right: String, distance: Int) {
        #expect(NearestNames.distance(left, right) == distance)
        #expect(NearestNames.distance(right, left) == distance)
    }
}

@Suite("GPIO errors")
struct GPIOErrorTests {
    private let nowhere = GPIOLocation(path: "/dev/gpiochip99", offset: 0)

    @Test func `each errno of a request has its kind`() {
        func kind(_ errno: Int32) -> LineError.Kind { LineError(requesting: "EN", at: nowhere, errno: errno).kind }
        #expect(kind(EBUSY) == .busy(consumer: nil))
        #expect(kind(EACCES) == .permissionDenied)
        #expect(kind(EPERM) == .permissionDenied)
        #expect(kind(ENODEV) == .lost)
        #expect(kind(EINVAL) == .other)
    }

    @Test func `a message contains the kernel's error text and the remedy`() {
        #expect(
            LineError(using: "EN", errno: EINVAL).description
                == "EN: Invalid argument; its chip cannot do what is asked of it (edges, a pull resistor): choose another"
        )
        #expect(
            LineError(using: "EN", errno: EIO).description
                == "EN: Input/output error; the chip does not answer: check its wiring")
        #expect(
            LineError(requesting: "EN", at: nowhere, errno: EACCES).description
                == "EN: permission denied; check the permissions of /dev/gpiochip99, and of the directories above it; "
                + "sextant doctor has the udev rule for the installed daemon"
        )
    }
}

@Suite("Edge stamps")
struct EdgeStampTests {
    private func stamp(isMonotonic: Bool) -> EdgeStamp {
        // An hour of suspend lies between the clocks.
        EdgeStamp(
            bootTime: MonotonicInstant(nanoseconds: 3_610_000_000_000), monotonicNanoseconds: 10_000_000_000,
            isMonotonic: isMonotonic)
    }

    @Test func `an edge time on the monotonic clock is converted to the boot-time clock`() {
        #expect(stamp(isMonotonic: true).instant(of: 9_750_000_000).nanoseconds == 3_609_750_000_000)
    }

    @Test func `an edge is never later than the time it was read`() {
        #expect(stamp(isMonotonic: true).instant(of: 10_000_000_001).nanoseconds == 3_610_000_000_000)
    }

    @Test func `an edge time on the wall clock is not used`() {
        #expect(stamp(isMonotonic: false).instant(of: 1_795_000_000_000_000_000).nanoseconds == 3_610_000_000_000)
    }

    @Test(arguments: [
        ("5.6.19", Int32(1), false), ("5.7.0-rc1", 1, true), ("6.1.0-56-amd64", 1, true), ("4.19.0", 1, false),
        ("5.10", 1, true), ("", 1, false), ("5.6.19", 2, true),
    ])
    func `the kernel's release determines the clock of its edge times`(
        release: String, library: Int32, isMonotonic: Bool
    ) {
        #expect(EdgeStamp.isMonotonic(kernel: release, libraryVersion: library) == isMonotonic)
    }

    @Test func `the current time is read on both clocks`() {
        let first = EdgeStamp.now()
        let second = EdgeStamp.now()
        #expect(first.isMonotonic)
        #expect(second.bootTime >= first.bootTime)
        #expect(second.monotonicNanoseconds >= first.monotonicNanoseconds)
        #expect(first.bootTime.nanoseconds >= first.monotonicNanoseconds - 1_000_000)
    }
}

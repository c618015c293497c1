import Foundation
import Hardware
import LinuxHardware
import SextantReactor
import SextantUnits
import TestSupport
import Testing

/// The far end of the wires of an emulated chip: a folder of files (`scripts/guests/emulated-cp2112`).
private struct Wires {
    static let folder = ProcessInfo.processInfo.environment["SEXTANT_GPIO_FIXTURE"]

    static func read(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "\(folder ?? "")/\(name)", encoding: .utf8)
        return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    static func write(_ name: String, _ value: Int) throws {
        try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: "\(folder ?? "")/\(name)"), options: .atomic)
    }
}

private func name(_ offset: Int) -> String { "cp2112_gpio:\(offset)" }

/// Run by `scripts/check-gpio` in a guest with a real kernel.
@Suite(
    "GPIO lines on a chip", .serialized,
    .enabled(if: Wires.folder != nil, "scripts/check-gpio runs these where there is a chip"))
struct GPIOChipTests {
    @Test func `an output has its initial level once opened, and each new level once set returns`() throws {
        var line = try GPIOOutputLine(name: name(2), active: true)
        #expect(try Wires.read("directions") & 0b100 == 0b100)
        #expect(try Wires.read("out") & 0b100 == 0b100)
        let isActive = line.isActive
        #expect(isActive)
        for active in [false, true, true, false] {
            try line.set(active: active)
            let isActive = line.isActive
            #expect(isActive == active)
            #expect(try Wires.read("out") & 0b100 == (active ? 0b100 : 0))
        }
    }

    @Test func `an active-low output is at 0 V while active`() throws {
        var line = try GPIOOutputLine(name: name(3), activeLow: true, active: true)
        #expect(try Wires.read("out") & 0b1000 == 0)
        try line.set(active: false)
        #expect(try Wires.read("out") & 0b1000 == 0b1000)
    }

    @Test func `a line in use is refused, and its holder is named`() throws {
        let line = try GPIOOutputLine(name: name(2), active: false)
        let error = #expect(throws: LineError.self) { _ = try GPIOOutputLine(name: name(2), active: true) }
        #expect(error == LineError(.busy(consumer: "sextant"), line: name(2)))
        #expect(throws: LineError(.busy(consumer: "sextant"), line: name(2))) { _ = try GPIOInputLine(name: name(2)) }
        _ = line
    }

    @Test func `a line is free again when its holder has closed it`() throws {
        for _ in 0..<3 {
            #expect(throws: Never.self) { _ = try GPIOOutputLine(name: name(2), active: false) }
        }
    }

    @Test func `a line is free again after its holder was killed`() throws {
        let holder = try ChildProgram("/usr/bin/gpiomon", ["gpiochip0", "6"], output: .nothing)
        var refusal: LineError?
        try waitUntil("gpiomon's line") {
            do throws(LineError) { _ = try GPIOInputLine(name: name(6)) } catch { refusal = error }
            return refusal != nil
        }
        #expect(refusal == LineError(.busy(consumer: "gpiomon"), line: name(6)))
        holder.signal(SIGKILL)
        try holder.waitForEnd()
        #expect(throws: Never.self) { _ = try GPIOInputLine(name: name(6)) }
    }

    @Test func `an unknown line is refused with similar line names`() throws {
        let error = #expect(throws: LineError.self) { _ = try GPIOOutputLine(name: "cp2112_gpoi:2", active: false) }
        guard case .notFound(let nearest) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(nearest.first == "cp2112_gpio:2")
        #expect(throws: LineError.self) { _ = try GPIOOutputLine(name: name(8), active: false) }
    }

    @Test func `an input's level and edges follow the wire, and each edge has its time`() throws {
        try Wires.write("in", 0)
        var line = try GPIOInputLine(name: name(5))
        let first = try line.readIsActive()
        #expect(!first)
        var edges: [LineEdge] = []
        // The driver polls, and takes what it saw last as 0 V.
        usleep(300_000)
        try line.takeEdges(into: &edges)
        #expect(edges.isEmpty)

        for level in [1, 0, 1] {
            let before = Clock.now()
            try Wires.write("in", level << 5)
            #expect(try readiness(of: line.descriptor) == .readable)
            edges = []
            try line.takeEdges(into: &edges)
            #expect(edges.map(\.isRising) == [level == 1])
            let instant = try #require(edges.first?.instant)
            #expect(before <= instant && instant <= Clock.now())
            let isActive = try line.readIsActive()
            #expect(isActive == (level == 1))
        }
    }

    @Test func `an active-low input is active at 0 V`() throws {
        try Wires.write("in", 0b1000_0000)
        let line = try GPIOInputLine(name: name(7), activeLow: true)
        let high = try line.readIsActive()
        #expect(!high)
        try Wires.write("in", 0)
        let low = try line.readIsActive()
        #expect(low)
    }

    /// The last: there is no chip after it.
    @Test func `a line is reported as lost when its chip is removed`() throws {
        var line = try GPIOOutputLine(name: name(0), active: false)
        var input = try GPIOInputLine(name: name(1))
        try Wires.write("unplug", 1)
        var lost = false
        try waitUntil("the end of the chip") {
            do throws(LineError) { try line.set(active: true) } catch { lost = error.kind == .lost }
            return lost
        }
        #expect(throws: LineError(.lost, line: name(1))) { _ = try input.readIsActive() }
        var kind: LineError.Kind?
        var edges: [LineEdge] = []
        do { try input.takeEdges(into: &edges) } catch { kind = error.kind }
        #expect(kind == .lost)
        #expect(try readiness(of: input.descriptor)?.contains(.hungUp) == true)
        #expect(throws: LineError(.notFound(nearest: []), line: name(0))) {
            _ = try GPIOOutputLine(name: name(0), active: false)
        }
    }

    private func readiness(of descriptor: borrowing Descriptor) throws -> Readiness? {
        let reactor = try Reactor()
        var readiness: Readiness?
        let registration = try descriptor.register(with: reactor) {
            readiness = $0
            reactor.stop()
        }
        try reactor.run(until: "an event of the line")
        reactor.remove(registration)
        return readiness
    }
}

import Beacons
import Emulation
import SextantUnits
import Testing

@Suite("The radio when the daemon ends")
struct RadioEndTests {
    private var radio = BeaconRadio()
    private var kernel = EmulatedRadio()
    private var now = MonotonicInstant.zero

    /// Carries commands and answers to and fro until nothing is left to be said.
    private mutating func settle() {
        while true {
            for command in radio.takeCommands() { kernel.take(command) }
            var events: [[UInt8]] = []
            kernel.advance(to: now) { events.append($0) }
            guard !events.isEmpty else { return }
            for event in events { _ = radio.heard(event.span, at: now) }
        }
    }

    @Test mutating func `BEAC-44: it removes its monitor and begins nothing any more`() {
        radio.opened(at: now)
        radio.want(ScanTiming(interval: 96, window: 48), at: now)
        settle()
        #expect(kernel.monitors.count == 1)
        radio.stop()
        settle()
        #expect(kernel.monitors.isEmpty)
        let count = kernel.commands.count
        radio.want(ScanTiming(interval: 600, window: 60), at: now)
        now = now.advanced(byNanoseconds: 100_000_000_000)
        radio.advance(to: now)
        settle()
        #expect(kernel.commands.count == count)
        #expect(radio.deadline == nil)
    }

    @Test mutating func `BEAC-44: monitors that a killed daemon left behind are removed, where that is asked for`() {
        kernel.setPowered(true)
        for _ in 0..<3 { kernel.take([0x52, 0, 0, 0, 0, 0]) }
        kernel.advance(to: now) { _ in }
        radio.opened(at: now)
        settle()
        #expect(kernel.monitors.count == 3)
        radio = BeaconRadio(clearsMonitors: true)
        radio.opened(at: now)
        settle()
        #expect(kernel.monitors.isEmpty && radio.deadline == nil)
    }

    @Test mutating func `a monitor whose handle is not known yet is removed with all others`() {
        radio.opened(at: now)
        settle()
        kernel.setPowered(true)
        settle()
        radio.want(ScanTiming(interval: 96, window: 48), at: now)
        // All commands but the last are answered: that adds the monitor.
        while true {
            let commands = radio.takeCommands()
            guard let command = commands.first, command[0] != 0x52 else { break }
            kernel.take(command)
            var events: [[UInt8]] = []
            kernel.advance(to: now) { events.append($0) }
            for event in events { _ = radio.heard(event.span, at: now) }
        }
        radio.stop()
        #expect(radio.takeCommands() == [[0x53, 0, 0, 0, 2, 0, 0, 0]])
    }

    @Test mutating func `without a controller there is nothing to end`() {
        radio.stop()
        #expect(radio.takeCommands().isEmpty)
        radio.opened(at: now)
        _ = radio.takeCommands()
        radio.stop()
        #expect(radio.takeCommands().isEmpty)
    }
}

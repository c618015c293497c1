import Beacons
import Emulation
import SextantUnits
import Testing

@Suite("The radio when the daemon ends")
struct RadioEndTests {
    private var radio = BeaconRadio()
    private var kernel = EmulatedRadio()
    private var now = MonotonicInstant.zero
    /// What the daemon's edge keeps in a file.
    private var own: SentAdvertisement?

    /// Carries commands and answers to and fro until nothing is left to be said.
    private mutating func settle() {
        while true {
            for command in radio.takeCommands() {
                own = own.after(command: command)
                kernel.take(command)
            }
            guard hear() else { return }
        }
    }

    /// Carries the events alone; gives whether there were any.
    private mutating func hear() -> Bool {
        var events: [[UInt8]] = []
        kernel.advance(to: now) { events.append($0) }
        for event in events {
            own = own.after(event: event.span)
            _ = radio.heard(event.span, at: now)
        }
        return !events.isEmpty
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

    @Test mutating func `BEAC-44: a killed daemon's advertisement is removed, and another program's stays`() throws {
        kernel.advertise([3, 3, 0x6F, 0xFD], instance: 1)
        radio.opened(at: now)
        radio.send([2, 1, 6], at: now)
        settle()
        #expect(kernel.advertisements.keys.sorted() == [1, 5])
        // The daemon is killed, and the line is all that is left of it.
        let line = try #require(own?.text)
        kernel.take(try #require(SentAdvertisement(parsing: line)).removal)
        #expect(kernel.advertisements.keys.sorted() == [1])
    }

    @Test(arguments: ["its removal", "a refusal", "bluetoothd's start", "the controller's end"])
    mutating func `the number of an advertisement is forgotten, being free for others, with`(_ end: String) {
        radio.opened(at: now)
        radio.send([2, 1, 6], at: now)
        settle()
        #expect(own == SentAdvertisement(controller: 0, instance: 5))
        switch end {
        case "its removal": radio.stop()
        case "a refusal":
            kernel.advertisingRefusal = 0x0D
            radio.send([2, 1, 4], at: now)
        case "bluetoothd's start": kernel.startBluetoothDaemon()
        default: kernel.unplug()
        }
        if end == "bluetoothd's start" { #expect(hear()) } else { settle() }
        #expect(own == nil)
    }

    @Test(arguments: ["", "0", "0 0", "0 256", "65536 1", "0 5 1", "a 5", "-1 5"])
    func `a line that names no advertisement is refused`(line: String) {
        #expect(SentAdvertisement(parsing: line) == nil)
    }
}

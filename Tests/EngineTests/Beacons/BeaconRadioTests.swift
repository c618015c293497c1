import Access
import ClientProtocol
import Emulation
import Parts
import SextantUnits
import Testing

@testable import Delivery
@testable import Engine
@testable import Monitoring
@testable import Monitors

/// The radio: when it listens, and what becomes of it.
@Suite("The radio that hears beacons")
struct BeaconRadioTests {
    private func ranging(duty: Double? = nil) throws -> BeaconHarness {
        var harness = try BeaconHarness(rangingDuty: duty)
        harness.connect()
        harness.ask(.state(isForeground: true))
        harness.ask(.rangeBeacons(try BeaconHarness.constraint()))
        return harness
    }

    @Test func `BEAC-39: without a need there is no monitor and no command that scans`() throws {
        var harness = try BeaconHarness()
        harness.connect()
        harness.run(seconds: 3600)
        #expect(harness.radio.monitors.isEmpty && !harness.radio.isOn)
        #expect(harness.radio.commands == [0x03, 0x04, 0x51], "it was asked what it can do, once")
        let idle = harness.inputCount
        harness.run(seconds: 3600)
        #expect(harness.inputCount == idle, "nothing wakes the daemon")
    }

    @Test func `BEAC-39: the scan begins within a second of the first need, and ends within 5 s of the last`() throws {
        var harness = try BeaconHarness()
        harness.connect()
        try harness.monitor()
        harness.run(seconds: 1)
        #expect(harness.radio.monitors.count == 1 && harness.radio.isOn)
        #expect(harness.radio.monitors[0].scan == EmulatedRadio.Scan(interval: 0x254, window: 0x3C))
        harness.ask(.monitoring(.endRegion(identifier: "stable", monitor: nil)))
        harness.run(seconds: 5)
        #expect(harness.radio.monitors.isEmpty)
    }

    @Test func `BEAC-40: monitors that another program removes are back within a second, without an event`() throws {
        var harness = try BeaconHarness()
        _ = try harness.place()
        harness.connect()
        try harness.monitor()
        harness.run(seconds: 10)
        harness.forget()
        harness.radio.removeMonitors()
        harness.run(seconds: 1)
        #expect(harness.radio.monitors.count == 1)
        harness.run(seconds: 60)
        #expect(harness.transitions.isEmpty)
    }

    @Test func `BEAC-41: while another program discovers, beacons are heard all the same`() throws {
        var harness = try BeaconHarness()
        harness.connect()
        try harness.monitor()
        harness.run(seconds: 31)
        harness.radio.isDiscovering = true
        _ = try harness.place()
        harness.forget()
        harness.run(seconds: 10)
        #expect(harness.transitions == ["enter inside"])
    }

    @Test func `BEAC-42: a controller that goes is told once, and another takes its place without a call`() throws {
        var harness = try ranging()
        _ = try harness.place()
        try harness.monitor()
        harness.run(seconds: 10)
        harness.forget()
        harness.radio.unplug()
        harness.run(seconds: 60)
        #expect(harness.lines("rangingFailed").compactMap { BeaconHarness.member("errorCode", $0) } == ["17.0"])
        #expect(harness.transitions == ["determined unknown"])
        #expect(harness.lines("capabilities").last?.contains("beacons") == false)
        harness.radio.plug(index: 1)
        harness.forget()
        harness.run(seconds: 10)
        #expect(harness.lines("beacons").count >= 9)
        #expect(harness.transitions == ["determined inside"])
        #expect(harness.lines("capabilities").last?.contains("\"beacons\"") == true)
    }

    @Test func `BEAC-43: a radio that rfkill keeps off is told with its mend, and used when it comes on`() throws {
        var harness = try BeaconHarness()
        harness.radio.setBlocked(true)
        harness.connect()
        harness.ask(.rangeBeacons(try BeaconHarness.constraint()))
        harness.run(seconds: 10)
        let failure = try #require(harness.lines("rangingFailed").first)
        #expect(BeaconHarness.member("errorCode", failure) == "16.0")
        #expect(failure.contains("rfkill unblock bluetooth"))
        harness.ask(.status, of: BeaconHarness.root)
        #expect(harness.lines("status", to: BeaconHarness.root)[0].contains("rfkill keeps Bluetooth off"))
        harness.radio.setBlocked(false)
        harness.forget()
        harness.run(seconds: 10)
        #expect(harness.lines("beacons").count >= 8)
        #expect(harness.lines("rangingFailed").isEmpty)
    }

    @Test func `BEAC-07: without a radio ranging fails with 16, regions with 5, and it is no capability`() throws {
        var harness = try BeaconHarness(radio: nil)
        harness.connect()
        #expect(harness.lines("hello").first?.contains("\"beacons\"") == false)
        harness.ask(.rangeBeacons(try BeaconHarness.constraint()))
        let failure = try #require(harness.lines("rangingFailed").first)
        #expect(BeaconHarness.member("errorCode", failure) == "16.0")
        try harness.monitor()
        let refusal = try #require(harness.lines("monitoringFailed").first)
        #expect(
            BeaconHarness.member("errorCode", refusal) == "5.0" && BeaconHarness.member("reason", refusal) == "noRadio")
    }

    @Test func `a controller that does not answer is asked ever more seldom, and said so`() throws {
        var harness = try BeaconHarness()
        harness.connect()
        harness.run(seconds: 1)
        harness.radio.isSilent = true
        harness.ask(.rangeBeacons(try BeaconHarness.constraint()))
        harness.run(seconds: 600)
        #expect(harness.lines("rangingFailed").count == 1)
        #expect(harness.lines("rangingFailed")[0].contains("does not answer"))
        #expect(harness.radio.commands.count < 25)
        harness.radio.isSilent = false
        harness.run(seconds: 70)
        #expect(harness.radio.monitors.count == 1)
    }

    @Test func `after a controller's silence its monitor is replaced, and its advertisement removed when it ends`()
        throws
    {
        var harness = try ranging()
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 5)
        #expect(harness.radio.monitors.count == 1 && harness.radio.advertisements.count == 1)
        // The region is scanned for otherwise than the ranging, so the controller is asked while it is silent.
        harness.radio.isSilent = true
        try harness.monitor()
        harness.ask(.stopRangingBeacons(try BeaconHarness.constraint()))
        harness.run(seconds: 60)
        harness.radio.isSilent = false
        harness.run(seconds: 70)
        #expect(harness.radio.monitors.count == 1 && harness.radio.advertisements.count == 1)
        harness.radio.isSilent = true
        harness.ask(line: #"{"request":"stopAdvertising"}"#, of: BeaconHarness.root)
        harness.ask(.monitoring(.endRegion(identifier: "stable", monitor: nil)))
        harness.run(seconds: 60)
        harness.radio.isSilent = false
        harness.run(seconds: 70)
        #expect(harness.radio.monitors.isEmpty && harness.radio.advertisements.isEmpty)
        let count = harness.radio.commands.count
        harness.run(seconds: 600)
        #expect(harness.radio.commands.count == count)
    }

    @Test func `monitors of other programs are left alone, from the start of the daemon to its end`() throws {
        var others = EmulatedRadio()
        others.setPowered(true)
        for _ in 0..<2 { others.take([0x52, 0, 0, 0, 0, 0]) }
        others.advance(to: .zero) { _ in }
        var harness = try BeaconHarness(radio: others)
        harness.connect()
        try harness.monitor()
        harness.run(seconds: 1)
        #expect(harness.radio.monitors.map(\.handle) == [1, 2, 3])
        // Ranging has it scan otherwise, by a new monitor in the place of its own.
        harness.ask(.state(isForeground: true))
        harness.ask(.rangeBeacons(try BeaconHarness.constraint()))
        harness.run(seconds: 1)
        #expect(harness.radio.monitors.map(\.handle) == [1, 2, 4])
        harness.give(.stopping)
        #expect(harness.radio.monitors.map(\.handle) == [1, 2])
    }

    @Test func `while bluetoothd discovers, and when it starts anew, a ranging goes on with each second's strengths`()
        throws
    {
        var harness = try ranging()
        _ = try harness.place(level: -65)
        harness.run(seconds: 5)
        harness.forget()
        harness.radio.isDiscovering = true
        harness.run(seconds: 10)
        harness.radio.isDiscovering = false
        harness.run(seconds: 5)
        harness.radio.startBluetoothDaemon()
        harness.run(seconds: 5)
        #expect(harness.lines("beacons").count { $0.contains("\"rssi\":-65") } == 20)
        #expect(harness.lines("rangingFailed").isEmpty)
    }

    @Test func `BEAC-04 and BEAC-30: batches come once a second, with the mean strength of that second`() throws {
        var harness = try ranging()
        _ = try harness.place(level: -65)
        harness.run(seconds: 600)
        let seconds = harness.seconds(of: "beacons")
        #expect((598...600).contains(seconds.count))
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { abs($1 - $0 - 1) <= 0.1 })
        #expect(harness.lines("beacons").last?.contains("\"rssi\":-65") == true)
    }

    @Test(arguments: [(0.1, 295...310), (1, 310...480)] as [(Double, ClosedRange<Double>)])
    func `where Wi-Fi has the same radio, ranging listens half of the time, and all while a beacon is silent`(
        interval: Double, listened: ClosedRange<Double>
    ) throws {
        var harness = try ranging(duty: 0.5)
        _ = try harness.place(interval: interval)
        harness.run(seconds: 600)
        #expect(listened.contains(harness.radio.scannedSeconds), "\(harness.radio.scannedSeconds)")
        let told = harness.lines("beacons")
        #expect(told.count { $0.contains("unknown") || $0.contains("[]") } <= 6, "of 600, the first one among them")
    }

    @Test func `BEAC-31: a sender that stops is unknown within 3 s and absent within 11 s`() throws {
        var harness = try ranging()
        let beacon = try harness.place()
        harness.run(seconds: 10)
        harness.radio.setLevel(nil, ofBeacon: beacon)
        harness.forget()
        harness.run(seconds: 3.5)
        #expect(harness.lines("beacons").last?.contains("\"rssi\":0,\"proximity\":\"unknown\"") == true)
        harness.run(seconds: 8)
        #expect(harness.lines("beacons").last?.contains("\"beacons\":[]") == true)
    }

    @Test func `BEAC-06: another session and another connection hear nothing of a session's ranging`() throws {
        var harness = try ranging()
        let other = ClientID(rawValue: 2)
        harness.connect(other)
        _ = try harness.place()
        harness.run(seconds: 5)
        #expect(harness.lines("beacons", to: other).isEmpty)
        #expect(harness.lines("beacons").allSatisfy { !$0.contains("\"session\"") })
        harness.ask(.rangeBeacons(try BeaconHarness.constraint(major: 9)), session: 3)
        harness.forget()
        harness.run(seconds: 2)
        let (own, others) = (harness.lines("beacons").filter { $0.contains("\"session\":3") }, harness.lines("beacons"))
        #expect(own.allSatisfy { $0.contains("\"beacons\":[]") } && own.count == 2 && others.count == 4)
    }

    @Test func `only an operator is told of all beacons`() throws {
        var harness = try BeaconHarness()
        harness.connect()
        _ = try harness.place()
        harness.ask(.rangeBeacons(nil))
        #expect(harness.lines("error").first?.contains("notOperator") == true)
        harness.run(seconds: 5)
        #expect(harness.lines("beacons").isEmpty)
    }

    @Test func `BEAC-47: a thousand identities a second cost bounded memory, and no row of the store`() throws {
        var harness = try ranging()
        try harness.monitor()
        harness.run(seconds: 2)
        let rows = harness.rowCount
        for number in 0..<5000 {
            harness.radio.report(try BeaconHarness.advertisement(major: UInt16(number % 1000)), strength: -60)
            if number % 500 == 499 { harness.run(seconds: 1) }
        }
        #expect(harness.rowCount - rows <= 3, "the region's state alone")
        harness.ask(.status, of: BeaconHarness.root)
        #expect(harness.lines("status", to: BeaconHarness.root).last?.contains("\"senders\":1000") == true)
        #expect(harness.lines("beacons").allSatisfy { $0.utf8.count < 32_768 }, "a line has the nearest 128 alone")
    }

    @Test func `BEAC-47: of 10,000 senders each has a few of a thousand regions and rangings looked at`() throws {
        var harness = try BeaconHarness()
        for connection in 100..<116 as Range<UInt32> {
            let client = ClientID(rawValue: connection)
            harness.connect(client)
            harness.ask(.state(isForeground: true), of: client)
            let constraint = try BeaconHarness.constraint(major: 7)
            for session in 0..<64 as Range<UInt8> {
                harness.ask(.rangeBeacons(constraint), session: session, of: client)
            }
        }
        harness.connect()
        for number in 0..<1000 { try harness.monitor("hall \(number)") }
        harness.run(seconds: 1.5)
        harness.forget()
        let rangings = harness.engine.ranging.examined
        let regions = harness.engine.monitoring.view.regions.reaches.monitor.examined
        for number in 0..<10_000 as Range<UInt16> {
            let advertisement = try BeaconHarness.advertisement(major: number / 10, minor: number % 10)
            harness.radio.report(advertisement, strength: -60)
        }
        harness.run(seconds: 1)
        #expect(harness.seconds(of: "beacons").count == 1024, "each ranging is told once")
        #expect(harness.engine.ranging.examined - rangings <= 2 * 1024)
        #expect(harness.engine.monitoring.view.regions.reaches.monitor.examined - regions <= 10_000 + 2 * 1000)
    }

    @Test func `BEAC-48: a recording with Bluetooth bytes replays to the same bytes`() throws {
        var harness = try ranging()
        _ = try harness.place()
        // Requests as clients send them are what a recording keeps.
        harness.ask(line: #"{"request":"monitorRegion","identifier":"a","uuid":"\#(BeaconHarness.uuid)"}"#)
        harness.run(seconds: 20)
        harness.radio.unplug()
        harness.run(seconds: 5)
        var reader = try FlightReader(harness.recording)
        var kinds: Set<String> = []
        while let record = try reader.next() {
            if case .radioEvent = record.input { kinds.insert("event") }
            if case .radioOpened = record.input { kinds.insert("opened") }
        }
        #expect(kinds == ["event", "opened"] && !reader.isTruncated)
    }

    @Test func `an operator's advertisement is sent until its connection ends`() throws {
        var harness = try BeaconHarness()
        let line = #"{"request":"advertise","uuid":"\#(BeaconHarness.uuid)","major":3,"minor":4,"measuredPower":-61}"#
        harness.ask(line: line, of: BeaconHarness.root)
        harness.run(seconds: 1)
        #expect(harness.radio.advertisements[5]?.suffix(5) == [0, 3, 0, 4, 0xC3])
        harness.give(.clientGone(BeaconHarness.root))
        harness.run(seconds: 1)
        #expect(harness.radio.advertisements.isEmpty)
    }

    private static let advertise =
        #"{"request":"advertise","id":"a","uuid":"\#(BeaconHarness.uuid)","major":3,"minor":4}"#

    @Test func `it takes the highest number that no other advertisement has, and removes its own alone`() throws {
        var harness = try BeaconHarness()
        harness.radio.advertise([2, 1, 6], instance: 1)
        harness.radio.advertise([2, 1, 6], instance: 3)
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 1)
        #expect(harness.radio.advertisements.keys.sorted() == [1, 3, 5])
        #expect(harness.radio.advertisements[5]?.count == 27)
        // bluetoothd counts its own from 1 and looks at no other program's: what it sends next takes nothing away.
        harness.radio.advertise([2, 1, 4], instance: 2)
        harness.ask(line: #"{"request":"stopAdvertising"}"#, of: BeaconHarness.root)
        harness.run(seconds: 1)
        #expect(harness.radio.advertisements.keys.sorted() == [1, 2, 3])
    }

    @Test func `it is told after the kernel has answered, and not before`() throws {
        var harness = try BeaconHarness()
        harness.run(seconds: 1)
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        #expect(harness.lines("advertising", to: BeaconHarness.root).isEmpty)
        harness.run(seconds: 1)
        #expect(
            harness.lines("advertising", to: BeaconHarness.root)
                == [#"{"event":"advertising","id":"a","enabled":true}"# + "\n"])
    }

    @Test func `an advertisement that the kernel refuses is told once, and not tried again`() throws {
        var harness = try BeaconHarness()
        harness.radio.advertisingRefusal = 0x0B
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 600)
        let errors = harness.lines("error", to: BeaconHarness.root)
        #expect(errors.count == 1 && errors[0].contains("unavailable") && errors[0].contains("status 11"))
        #expect(harness.radio.commands.count { $0 == 0x3E } == 1)
        #expect(harness.lines("advertising", to: BeaconHarness.root).isEmpty)
    }

    @Test func `where other programs send all that the controller can, that is told`() throws {
        var harness = try BeaconHarness()
        harness.radio.maximumAdvertisements = 1
        harness.radio.advertise([2, 1, 6], instance: 1)
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 60)
        #expect(harness.lines("error", to: BeaconHarness.root).last?.contains("all 1 advertisements") == true)
        #expect(harness.radio.advertisements == [1: [2, 1, 6]])
    }

    @Test func `whoever mends what kept the radio from sending is not refused for it again`() throws {
        var harness = try BeaconHarness()
        harness.run(seconds: 1)
        harness.radio.isSilent = true
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 60)
        #expect(harness.lines("error", to: BeaconHarness.root).last?.contains("does not answer") == true)
        harness.radio.isSilent = false
        harness.forget()
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 1)
        #expect(harness.lines("error", to: BeaconHarness.root).isEmpty)
        #expect(harness.lines("advertising", to: BeaconHarness.root).count == 1)
        #expect(harness.radio.advertisements.count == 1)
    }

    @Test func `a bluetoothd that starts removes the advertisement, which is back within a second`() throws {
        var harness = try BeaconHarness()
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 1)
        harness.radio.startBluetoothDaemon()
        #expect(harness.radio.advertisements.isEmpty)
        harness.run(seconds: 1)
        #expect(harness.radio.advertisements.count == 1)
        #expect(harness.lines("advertising", to: BeaconHarness.root).count == 1, "that is not told again")
    }

    @Test func `an advertisement that bluetoothd removes before the kernel's answer is sent all the same`() throws {
        var harness = try BeaconHarness()
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 1)
        harness.radio.setPowered(false)
        harness.run(seconds: 1)
        harness.radio.setPowered(true)
        var events: [[UInt8]] = []
        harness.radio.advance(to: harness.now) { events.append($0) }
        for event in events { harness.give(.radioEvent(event)) }
        #expect(harness.radio.commands.last == 0x3E, "its answer waits")
        harness.radio.startBluetoothDaemon()
        harness.run(seconds: 1)
        #expect(harness.radio.advertisements.count == 1)
    }

    @Test func `a controller that goes away while it sends is told once, and that another one sends, without a call`()
        throws
    {
        var harness = try BeaconHarness()
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 1)
        harness.forget()
        harness.radio.unplug()
        harness.run(seconds: 600)
        let interruption = harness.lines("advertising", to: BeaconHarness.root)
        #expect(interruption.count == 1)
        #expect(interruption[0].contains(#""enabled":false,"reason":"there is no Bluetooth controller; "#))
        harness.forget()
        harness.radio.plug(index: 1)
        harness.run(seconds: 10)
        let goesOn = #"{"event":"advertising","enabled":true}"# + "\n"
        #expect(harness.lines("advertising", to: BeaconHarness.root) == [goesOn])
        #expect(harness.radio.advertisements.count == 1)
        harness.forget()
        harness.radio.advertisingRefusal = 0x0B
        harness.radio.unplug()
        harness.radio.plug(index: 2)
        harness.run(seconds: 600)
        #expect(harness.lines("error", to: BeaconHarness.root).count == 1, "a refusal ends it")
        #expect(harness.radio.commands.count { $0 == 0x3E } == 3)
    }

    @Test func `whose advertisement another request takes the place of, or ends, is told so`() throws {
        var harness = try BeaconHarness()
        let other = ClientID(rawValue: 8)
        harness.connect(other, PeerIdentity(userID: 0))
        harness.ask(line: Self.advertise, of: BeaconHarness.root)
        harness.run(seconds: 1)
        harness.ask(line: Self.advertise, of: other)
        harness.run(seconds: 1)
        harness.ask(line: #"{"request":"stopAdvertising"}"#, of: BeaconHarness.root)
        harness.run(seconds: 1)
        for client in [BeaconHarness.root, other] {
            #expect(harness.lines("error", to: client).map { $0.contains("superseded") } == [true])
        }
        #expect(harness.radio.advertisements.isEmpty)
    }
}

extension BeaconHarness {
    /// The client acknowledges every event that it was told.
    mutating func acknowledge() {
        for line in lines("regionEvent") {
            guard let number = BeaconHarness.member("number", line).flatMap(Double.init) else { continue }
            ask(.acknowledge(number: UInt64(number)))
        }
    }

    /// The stored rows in the order of their names, as the store gives them.
    var sortedRows: [DurableRow] { rows.keys.sorted().compactMap { rows[$0] } }

    /// How many events wait in the store.
    var eventCount: Int { rows.values.count { $0.table == .events } }
}

import Beacons
import Testing

/// The management socket's bytes, as `../shared/spec/beacons.md` 2.1 and 3.2 give them.
@Suite("Events and commands of the Bluetooth management socket")
struct ManagementTests {
    @Test(
        arguments: [
            ("0100 0000 0500 5200 00 0300", .answer(to: 0x52, controller: 0, .success, parameters: 9..<11)),
            ("0200 0100 0300 0500 12", .answer(to: 5, controller: 1, .blocked, parameters: 9..<9)),
            ("0400 0200 0000", .controllerAdded(2)), ("0500 0200 0000", .controllerRemoved(2)),
            ("0600 0000 0400 01020000", .settingsChanged(controller: 0, [.powered, .lowEnergy])),
            ("2C00 0000 0200 0000", .monitorRemoved(controller: 0, handle: 0)),
            ("2D00 0000 0100 02", .suspended(controller: 0)),
            ("2E00 0000 0800 0000000000000000", .resumed(controller: 0)),
            ("1300 0000 0200 0601", .other(0x13)),
        ] as [(String, ManagementEvent)])
    func `each event is read from its bytes`(hexadecimal: String, event: ManagementEvent) throws {
        #expect(try ManagementEvent(bytes(hexadecimal).span) == event)
    }

    @Test func `BEAC-41: an advertisement counts the same when another program discovers`() throws {
        let found = try [false, true].map { discovering in
            let event = heard(iBeacon, discovering: discovering)
            guard case .advertisement(let advertisement, let data) = try ManagementEvent(event.span) else {
                throw ManagementEventError.noHeader(byteCount: 0)
            }
            #expect(Array(event[data]) == iBeacon)
            return advertisement
        }
        #expect(found[0] == found[1])
    }

    @Test(arguments: [(0x7F, nil), (0, nil), (0x80, -128), (0xC5, -59)] as [(UInt8, Int8?)])
    func `BEAC-13: strengths of 127 and 0 are none`(strength: UInt8, expected: Int8?) throws {
        guard case .advertisement(let advertisement, _) = try ManagementEvent(heard(iBeacon, strength: strength).span)
        else {
            Issue.record("no advertisement")
            return
        }
        #expect(advertisement.strength == expected)
    }

    @Test func `an event that is cut, or states another length, is refused and says so`() {
        let event = heard(iBeacon)
        for count in event.indices {
            #expect(throws: ManagementEventError.self) { try ManagementEvent(Array(event.prefix(count)).span) }
        }
        #expect(throws: ManagementEventError.wrongLength(event: 0x2F, stated: 46, found: 47)) {
            try ManagementEvent((event + [0]).span)
        }
        var short = event
        short[4] -= 1
        short.removeLast()
        #expect(throws: ManagementEventError.self) { try ManagementEvent(short.span) }
        #expect(
            ManagementEventError.noHeader(byteCount: 5).description
                == "5 bytes are no event of the Bluetooth management socket, which has 6 at least")
    }

    @Test(
        arguments: [
            (.readControllers, "0300 FFFF 0000"), (.readInformation(controller: 0), "0400 0000 0000"),
            (.setPowered(controller: 1), "0500 0100 0100 01"), (.setLowEnergy(controller: 0), "0D00 0000 0100 01"),
            (.readMonitors(controller: 0), "5100 0000 0000"),
            (.removeMonitor(controller: 0, handle: 3), "5300 0000 0200 0300"),
            (
                .setScan(controller: 0, ScanTiming(interval: 0x254, window: 0x3C)),
                "4C00 0000 0A00 1300 02 5402 1400 02 3C00"
            ),
            (
                .addAdvertising(controller: 0, instance: 1, data: [1, 2, 3]),
                "3E00 0000 0E00 01 00000000 0000 0000 03 00 010203"
            ),
            (.removeAdvertising(controller: 0, instance: 1), "3F00 0000 0100 01"),
        ] as [(ManagementCommand, String)])
    func `each command has the layout of BlueZ's description`(command: ManagementCommand, hexadecimal: String) {
        #expect(command.encode() == bytes(hexadecimal))
    }

    @Test func `a monitor has a pattern of 34 bytes for each kind of beacon`() {
        let command = ManagementCommand.addMonitor(controller: 0, [.iBeacon, .altBeacon]).encode()
        #expect(command.count == 6 + 1 + 2 * 34)
        #expect(Array(command.prefix(14)) == bytes("5200 0000 4500 02 FF 00 04 4C000215"))
        #expect(Array(command[41..<46]) == bytes("FF 02 02 BEAC"))
    }
}

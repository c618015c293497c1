import Beacons
import Emulation
import SextantUnits
import Testing

/// The advertisements of `../shared/spec/beacons.md` 2.3 and 7.1; literal bytes are those of public decoders' tests.
@Suite("Advertisements of beacons")
struct AdvertisementTests {
    @Test func `BEAC-09: the example packet is a beacon, as strong as it was heard, of its sender`() throws {
        let event = heard(iBeacon)
        guard case .advertisement(let advertisement, let data) = try ManagementEvent(event.span) else {
            Issue.record("no advertisement")
            return
        }
        #expect(advertisement.strength == -77)
        #expect(advertisement.sender.description == "6A:6B:C9:A2:3E:43")
        let beacon = try decode(Array(event[data])).get()
        #expect(beacon.format == .iBeacon && beacon.measuredPower == -59)
        #expect(beacon.identity.description == "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 100 0")
    }

    @Test func `BEAC-10: an AltBeacon has the identity and power of its own specification's layout`() throws {
        let beacon = try decode(altBeacon).get()
        #expect(beacon.format == .altBeacon && beacon.measuredPower == -59)
        #expect(beacon.identity.description == "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6 1 2")
    }

    /// Source: `citruz/beacontools`, tests/test_parser.py; the power is 41 dB less one metre away.
    @Test(arguments: [
        "1716AAFE00E3 12345678901234678901 000000000001 0000", "1516AAFE00E3 12345678901234678901 000000000001",
    ])
    func `BEAC-10: Eddystone's identity counts where it is asked for, with and without the reserved bytes`(
        structure: String
    ) throws {
        let advertisement = bytes("0201060303AAFE" + structure)
        #expect(decode(advertisement) == .failure(.nothingOfABeacon), "off unless it is asked for")
        let beacon = try decode(advertisement, formats: [.eddystoneUID]).get()
        #expect(beacon.format == .eddystoneUID && beacon.measuredPower == -70)
        #expect(beacon.identity.description == "12345678-9012-3467-8901-000000000001 0 0")
    }

    @Test(
        arguments: [
            ("", .nothingOfABeacon), ("00" + "1AFF4C000215", .nothingOfABeacon), ("02011A", .nothingOfABeacon),
            ("02011A 1FFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000640000C5", .cut),
            ("19FF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000640000", .tooShort(.iBeacon, byteCount: 25)),
            ("1AFF4D000215E2C56DB5DFFB48D2B060D0F5A71096E000640000C5", .otherManufacturer(0x4D)),
            ("1AFF4C000214E2C56DB5DFFB48D2B060D0F5A71096E000640000C5", .otherAppleType(2, length: 0x14)),
            ("05FF4C001005", .otherAppleType(0x10, length: 5)),
            ("1AFF1801BEAC2F234454CF6D4A0FADF2F4911BA9FFA600010002C5", .tooShort(.altBeacon, byteCount: 26)),
        ] as [(String, BeaconRefusal)])
    func `BEAC-12: what is not a beacon is refused with the reason`(hexadecimal: String, refusal: BeaconRefusal) {
        #expect(decode(bytes(hexadecimal)) == .failure(refusal))
    }

    @Test(
        arguments: [
            ("1716AAFD00", .otherService(0xFDAA)), ("0E16AAFE10EE00", .cut),
            ("0616AAFE10EE00", .otherEddystoneFrame(0x10)),
        ]
            as [(String, BeaconRefusal)])
    func `BEAC-12: other services and frames are refused with the reason`(start: String, refusal: BeaconRefusal) {
        var advertisement = bytes(start)
        if case .otherService = refusal { advertisement += Array(repeating: 0, count: 19) }
        #expect(decode(advertisement, formats: [.eddystoneUID]) == .failure(refusal))
    }

    @Test func `BEAC-12: a structure with two bytes more than an iBeacon needs is one`() throws {
        let longer = bytes("1CFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000640000C50102")
        #expect(try decode(longer).get().identity == decode(iBeacon).get().identity)
    }

    @Test(
        arguments: [("00", nil), ("05", nil), ("7F", nil), ("91", nil), ("92", -110), ("F6", -10), ("F7", nil)]
            as [(String, Int8?)])
    func `BEAC-14: a power that no beacon has leaves the identity and no power`(power: String, expected: Int8?) throws {
        let beacon = try decode(iBeacon.dropLast() + bytes(power)).get()
        #expect(beacon.measuredPower == expected)
        #expect(beacon.identity.major == 100)
    }

    @Test func `BEAC-11: a beacon cut anywhere or with any byte changed has no field from outside its structure`()
        throws
    {
        let whole = try decode(iBeacon).get()
        for count in 0..<iBeacon.count {
            #expect(throws: BeaconRefusal.self) { try decode(Array(iBeacon.prefix(count))).get() }
            // Behind padding of any length the kernel would pass on nothing.
            #expect(decode(Array(repeating: 0, count: count + 1) + iBeacon) == .failure(.nothingOfABeacon))
        }
        for place in iBeacon.indices {
            for bit in 0..<8 {
                var damaged = iBeacon
                damaged[place] ^= 1 << bit
                // A following structure must not lend its bytes to the beacon.
                let result = decode(damaged + bytes("03 03 AA FE"))
                if case .success(let beacon) = result, place < 9 {
                    #expect(beacon == whole, "byte \(place), bit \(bit)")
                }
            }
        }
    }

    @Test func `BEAC-11: random bytes never trap and are hardly ever beacons`() {
        var random = SplitMix64(seed: 20_261_124)
        var beacons = 0
        for _ in 0..<40_000 {
            let count = Int(random.next() % 40)
            var packet = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if count > 8, random.next() % 2 == 0 { packet.replaceSubrange(0..<2, with: [UInt8(count - 1), 0xFF]) }
            if case .success = decode(packet, formats: Set(Beacon.Format.allCases)) { beacons += 1 }
            _ = try? ManagementEvent(packet.span)
        }
        #expect(beacons < 4)
    }

    @Test func `a UUID is read in small and capital letters and written as Foundation does`() {
        #expect(
            BeaconUUID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")?.description == "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
        for text in [
            "", "E2C56DB5DFFB48D2B060D0F5A71096E0", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E",
            "G2C56DB5-DFFB-48D2-B060-D0F5A71096E0",
        ] {
            #expect(BeaconUUID(text) == nil, "\(text)")
        }
    }
}

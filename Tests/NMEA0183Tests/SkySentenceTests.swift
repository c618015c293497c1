import GNSS
import NMEA0183
import Testing

@Suite("Sentences of the sky")
struct SkySentenceTests {
    private func satellites(_ body: String) throws -> [Satellite?] {
        let checked = try Checked(body)
        guard case .gsv(let view) = try checked.message() else { throw OtherSentence() }
        let numbering = NMEASatelliteNumbering(talker: checked.talker, systemID: nil)
        return (0..<view.count).map {
            view.satellite(at: $0, by: numbering, fields: checked.fields, in: checked.bytes.span)
        }
    }

    private func active(_ body: String) throws -> (GSA, [SatelliteID]) {
        let checked = try Checked(body)
        guard case .gsa(let message) = try checked.message() else { throw OtherSentence() }
        let numbering = NMEASatelliteNumbering(talker: checked.talker, systemID: message.systemID)
        let ids = (0..<message.slots).compactMap {
            message.satellite(at: $0, by: numbering, fields: checked.fields, in: checked.bytes.span)
        }
        return (message, ids)
    }

    @Test func `reads GSV`() throws {
        let body = "GPGSV,3,1,10,23,38,230,44,29,71,156,47,07,29,116,,08,,081,36"
        guard case .gsv(let view) = try Checked(body).message() else { throw OtherSentence() }
        #expect(view.sentenceCount == 3 && view.sentenceNumber == 1 && view.satellitesInView == 10)
        #expect(view.count == 4 && view.signalID == nil)
        let found = try satellites(body)
        #expect(found.map { $0?.id.number } == [23, 29, 7, 8])
        #expect(found.map { $0?.elevation } == [38, 71, 29, nil])
        #expect(found.map { $0?.azimuth } == [230, 156, 116, 81])
        #expect(found.map { $0?.carrierToNoise } == [44, 47, nil, 36])
        #expect(found.allSatisfy { $0?.signal == nil && $0?.isUsed == false })
    }

    @Test func `reads the signal ID of NMEA 4.11`() throws {
        let found = try satellites("GPGSV,1,1,02,23,38,230,44,29,71,360,47,6")
        #expect(found.map { $0?.signal } == [3, 3])
        #expect(found.map { $0?.azimuth } == [230, 0])
        guard case .gsv(let galileo) = try Checked("GAGSV,1,1,00,7").message() else { throw OtherSentence() }
        #expect(galileo.signalID == 7 && galileo.count == 0)
        guard case .gsv(let beidou) = try Checked("GBGSV,1,1,01,19,11,222,33,B").message() else {
            throw OtherSentence()
        }
        #expect(beidou.signalID == 11)
        guard case .gsv(let unknown) = try Checked("GBGSV,1,1,01,19,11,222,33,0").message() else {
            throw OtherSentence()
        }
        #expect(unknown.signalID == nil)
    }

    @Test(arguments: [
        ("GPGSV,x,1,10", NMEAFieldError.notANumber(field: 2)), ("GPGSV,,1,10", .notANumber(field: 1)),
        ("GPGSV,3,0,10", .outOfRange(field: 2)), ("GPGSV,3,4,10", .outOfRange(field: 2)),
    ])
    func `a GSV with an invalid count is an error`(body: String, expected: NMEAFieldError) throws {
        #expect(try fault(body) == expected)
    }

    @Test func `elevation, azimuth and signal strength out of range are nil`() throws {
        let found = try satellites("GPGSV,1,1,03,01,91,361,0,02,-90,-1,256,03,-5,12.5,99")
        #expect(found.map { $0?.elevation } == [nil, -90, -5])
        #expect(found.map { $0?.azimuth } == [nil, nil, nil])
        #expect(found.map { $0?.carrierToNoise } == [nil, nil, 99])
    }

    @Test func `reads GSA with and without a system ID`() throws {
        let (old, used) = try active("GPGSA,A,3,23,29,07,08,09,18,26,28,,,,,1.94,1.18,1.54")
        #expect(old.mode == .threeD && old.slots == 12 && old.systemID == nil)
        #expect(old.positionDilution == 1.94 && old.horizontalDilution == 1.18 && old.verticalDilution == 1.54)
        #expect(used == [23, 29, 7, 8, 9, 18, 26, 28].map { SatelliteID(.gps, $0) })
        let (new, others) = try active("GNGSA,A,2,11,12,,,,,,,,,,,1.94,1.18,1.54,3")
        #expect(new.mode == .twoD && new.systemID == 3)
        #expect(others == [SatelliteID(.galileo, 11), SatelliteID(.galileo, 12)])
    }

    @Test func `reads GSA with 24 slots`() throws {
        let numbers = (1...24).map(String.init).joined(separator: ",")
        for (tail, systemID) in [("", nil), (",1", 1)] as [(String, Int?)] {
            let (message, used) = try active("GNGSA,A,3,\(numbers),1.9,1.1,1.5\(tail)")
            #expect(message.slots == 24 && message.systemID == systemID)
            #expect(message.positionDilution == 1.9 && message.verticalDilution == 1.5)
            #expect(used == (1...24).map { SatelliteID(.gps, $0) })
        }
    }

    @Test(arguments: ["", "0", "4", "256", "257", "258", "x"])
    func `an invalid fix mode is nil`(mode: String) throws {
        #expect(try active("GPGSA,A,\(mode),,,,,,,,,,,,,99.99,99.99,99.99").0.mode == nil)
        #expect(try active("GPGSA,A,\(mode),,,,,,,,,,,,,99.99,99.99,99.99").0.positionDilution == nil)
    }

    /// What a number means under a talker.
    ///
    /// Sources: as `NMEASatelliteNumber` gives them.
    static let numbers: [(String, Int, Constellation?, UInt8)] = [
        ("GP", 1, .gps, 1), ("GP", 32, .gps, 32), ("GP", 33, .sbas, 120), ("GP", 64, .sbas, 151),
        ("GP", 65, .glonass, 1),
        ("GP", 120, .sbas, 120), ("GP", 158, .sbas, 158), ("GP", 193, .qzss, 1), ("GP", 202, .qzss, 10),
        ("GP", 173, .imes, 1), ("GP", 0, nil, 0), ("GP", 97, nil, 0), ("GP", 100, nil, 0), ("GP", 264, nil, 0),
        ("GL", 1, .glonass, 1), ("GL", 32, .glonass, 32), ("GL", 65, .glonass, 1), ("GL", 96, .glonass, 32),
        ("GA", 1, .galileo, 1), ("GA", 36, .galileo, 36), ("GA", 101, .galileo, 1), ("GA", 136, .galileo, 36),
        ("GA", 301, .galileo, 1), ("GA", 336, .galileo, 36), ("GA", 337, nil, 0),
        ("GB", 1, .beidou, 1), ("GB", 63, .beidou, 63), ("GB", 201, .beidou, 1), ("GB", 263, .beidou, 63),
        ("GB", 401, .beidou, 1), ("GB", 463, .beidou, 63), ("GB", 464, nil, 0), ("BD", 5, .beidou, 5),
        ("BD", 205, .beidou, 5), ("BD", 105, .beidou, 5),
        ("GQ", 1, .qzss, 1), ("GQ", 10, .qzss, 10), ("GQ", 193, .qzss, 1), ("QZ", 2, .qzss, 2), ("QZ", 194, .qzss, 2),
        ("GI", 1, .navic, 1), ("GI", 14, .navic, 14), ("GI", 501, .navic, 1),
        ("GN", 1, .gps, 1), ("GN", 40, .sbas, 127), ("GN", 70, .glonass, 6), ("GN", 105, .galileo, 5),
        ("GN", 210, .beidou, 10), ("GN", 305, .galileo, 5), ("GN", 410, .beidou, 10), ("GN", 999, nil, 0),
        ("PQ", 1, .beidou, 1), ("PQ", 63, .beidou, 63), ("PQ", 193, .qzss, 1), ("PQ", 202, .qzss, 10),
        ("PQ", 203, .beidou, 3),
        ("XX", 7, .gps, 7), ("XX", 66, .glonass, 2), ("XX", 0, nil, 0),
    ]

    @Test(arguments: numbers.indices)
    func `a satellite number is interpreted by the talker's constellation`(index: Int) throws {
        let (talker, number, constellation, expected) = Self.numbers[index]
        let found = try satellites("\(talker)GSV,1,1,01,\(number),40,083,46")
        #expect(found.map { $0?.id } == [constellation.map { SatelliteID($0, expected) }], "\(talker) \(number)")
    }

    @Test(arguments: [
        (1, 12, Constellation.gps, 12), (2, 12, .glonass, 12), (2, 76, .glonass, 12), (3, 12, .galileo, 12),
        (4, 12, .beidou, 12), (5, 2, .qzss, 2), (5, 194, .qzss, 2), (6, 12, .navic, 12), (1, 40, .sbas, 127),
    ])
    func `a system ID overrides the talker`(system: Int, number: Int, constellation: Constellation, expected: Int)
        throws
    {
        let (_, used) = try active("GNGSA,A,3,\(number),,,,,,,,,,,,1.9,1.1,1.5,\(system)")
        #expect(used == [SatelliteID(constellation, UInt8(expected))])
    }

    @Test(
        arguments: [
            (Constellation.gps, 1, 0), (.gps, 6, 3), (.gps, 5, 4), (.gps, 7, 6), (.gps, 8, 7), (.galileo, 7, 0),
            (.galileo, 1, 3), (.galileo, 2, 5), (.glonass, 1, 0), (.glonass, 3, 2), (.beidou, 1, 0), (.beidou, 3, 5),
            (.beidou, 5, 7), (.beidou, 11, 2), (.qzss, 1, 0), (.qzss, 7, 8), (.qzss, 8, 9), (.navic, 1, 0),
        ] as [(Constellation, Int, UInt8)])
    func `an NMEA signal ID is converted to u-blox's ID of the same signal`(
        system: Constellation, signal: Int, expected: UInt8
    ) {
        #expect(NMEASignal.ubxSignal(signal, of: system) == expected)
    }

    @Test func `a signal without a u-blox ID is nil`() {
        #expect(NMEASignal.ubxSignal(9, of: .gps) == nil)
        #expect(NMEASignal.ubxSignal(0, of: .galileo) == nil)
    }
}

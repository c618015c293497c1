internal import Access
internal import ClientProtocol
internal import ClientVocabulary
internal import Engine
internal import Fusion
internal import GPSDProtocol
internal import Monitoring
internal import Monitors
internal import Parts
internal import SextantJSON
internal import SextantUnits

/// The fuzzer's inputs of the service: clients' requests, rows of the store, and flight recordings; each goes through
/// its decoder and some code behind it.
///
/// A row that a decoder accepts is written again and read again, and the result must be equal.
public struct ServiceSurface {
    /// The number of inputs taken, and the number that a decoder accepted.
    public private(set) var inputCount = 0
    public private(set) var understoodCount = 0
    private var mutator = Mutator()
    private let seeds: [[UInt8]]
    private let recording: [[UInt8]]

    public init() {
        seeds = ServiceSurface.lines + ServiceSurface.rows
        recording = ServiceSurface.records
    }

    // MARK: Inputs

    /// Takes bytes as a client's line, as a line of the gpsd port, as a configuration, and as a row of each table.
    public mutating func take(_ bytes: [UInt8]) throws(Violation) {
        inputCount += 1
        if case .success = ClientRequestDecoder.decode(bytes) { understoodCount += 1 }
        if case .success = GPSDRequestDecoder.decode(bytes) { understoodCount += 1 }
        if (try? JSONValue(parsing: bytes, allowsJSON5: true)) != nil { understoodCount += 1 }
        if let value = try? JSONValue(parsing: bytes) {
            guard (try? JSONValue(parsing: Array(value.text.utf8))) == value else { throw .notJSON(value.text) }
        }
        var scanner = JSONScanner(bytes)
        if (try? scanner.skip()) != nil { try? scanner.end() }
        try takeRow(bytes.span)
    }

    private mutating func takeRow(_ row: Span<UInt8>) throws(Violation) {
        if let region = RegionRegistration.decode(row) {
            understoodCount += 1
            guard RegionRegistration.decode(region.encode().span) != nil else { throw .rowNotKept("a region") }
        }
        if let visits = VisitWatch.decode(row) {
            guard VisitWatch.decode(visits.encode().span) != nil else { throw .rowNotKept("visits") }
        }
        if let event = PendingEvent.decode(row) {
            understoodCount += 1
            guard PendingEvent.decode(event.encode().span) != nil else { throw .rowNotKept("an event") }
        }
        if let sessions = HeldSessions.decode(row) {
            guard HeldSessions.decode(sessions.encode().span) != nil else { throw .rowNotKept("sessions") }
        }
        if let place = NotifiedPlace.decode(row) {
            guard NotifiedPlace.decode(place.encode().span) != nil else { throw .rowNotKept("a place") }
        }
        if let filter = LocationFilter.decode(row) { _ = filter.encode() }
        if let (key, fix) = DeferredFix.decode(row) {
            var bytes: [UInt8] = []
            fix.encode(key) { bytes.append($0) }
            guard DeferredFix.decode(bytes.span) != nil else { throw .rowNotKept("a fix that is held back") }
        }
        if let record = AuthorizationRecord.decode(row) {
            understoodCount += 1
            var bytes: [UInt8] = []
            record.encode { bytes.append($0) }
            guard bytes.count == row.count, row.indices.allSatisfy({ row[$0] == bytes[$0] }) else {
                throw .rowNotKept("an authorization")
            }
        }
    }

    /// Takes bytes as a flight recording, and replays the recording up to its end or its first damage.
    public mutating func replay(_ bytes: [UInt8]) {
        inputCount += 1
        do throws(FlightFormatError) {
            var replay = try Replay(bytes)
            while replay.inputs < 200, try replay.step({ _, _ in }) {}
            understoodCount += replay.inputs
        } catch {}
    }

    // MARK: Made-up inputs

    /// Runs the inputs of session `number`; they depend only on the seed and this number.
    public mutating func run(seed: UInt64, number: Int) throws(Violation) {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xE703_7ED1_A0B4_28DB)
        var input: [UInt8] = []
        for _ in 0..<FuzzSession.inputCount {
            input.removeAll(keepingCapacity: true)
            mutator.append(
                seeds[random.below(seeds.count)], other: seeds[random.below(seeds.count)], to: &input, using: &random)
            if input.last == 0x0A { input.removeLast(2) }
            try take(input)
        }
        guard number % 4 == 0 else { return replay(ServiceSurface.recording(recording, using: &random)) }
        var bytes = FlightFormat.head
        for record in recording {
            guard random.oneIn(4) else {
                bytes += record
                continue
            }
            mutator.append(record, other: recording[random.below(recording.count)], to: &bytes, using: &random)
            if bytes.last == 0x0A { bytes.removeLast(2) }
        }
        replay(bytes)
    }

    /// A valid recording with one inserted record of any kind and made-up content; a damaged record ends a replay.
    private static func recording(_ records: [[UInt8]], using random: inout SplitMix64) -> [UInt8] {
        let index = 1 + random.below(records.count)
        let body = (0..<random.below(160)).map { _ in UInt8(random.below(random.oneIn(2) ? 3 : 256)) }
        var record: [UInt8] = []
        FlightFormat.append(.bytes(body), at: instant(index - 1), digest: 0, to: &record)
        // A record begins with four bytes of length, which the byte of its kind follows.
        record[4] = UInt8(random.below(48))
        return FlightFormat.head + records[..<index].joined() + record + records[index...].joined()
    }

    /// The instant of a record, from the record's index in the recording.
    private static func instant(_ index: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(index + 1) * 100_000_000)
    }

    /// A line for every request of the protocol, with members that many requests accept.
    private static let lines: [[UInt8]] =
        RequestName.allCases.flatMap { name in
            members.map { Array("{\"request\":\"\(name.rawValue)\"\($0)}".utf8) }
        }
        + [
            #"?WATCH={"enable":true,"json":true,"nmea":true,"raw":1};"#, "?POLL;?VERSION;?DEVICES;",
            #"?DEVICE={"path":"/dev/gnss","bps":9600};"#,
            "{ device: '/dev/gnss', baud: 115_200, /* a comment */ list: [0x1F, .5, +1, Infinity, 'a\\\n b'], } // end",
        ].map { Array($0.utf8) }

    private static let members = [
        "", #","id":"a","session":1,"accuracy":"best","distanceFilter":10,"deferral":{"distance":1,"timeout":2}"#,
        #","identifier":"home","latitude":47.3,"longitude":8.5,"radius":200,"notifyOnEntry":false,"dwell":60"#,
        #","identifier":"a","polygon":[[[8,47],[9,47],[9,48]]],"monitor":"m","assumed":"satisfied","cushion":5"#,
        #","identifier":"b","multiPolygon":[[[[179,47],[-179,47],[-179,48]],[[179.5,47.1],[179.6,47.1],[179.6,47.2]]]]"#,
        #","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":65535,"identifier":"c","measuredPower":-59"#,
        #","client":"tracker","answer":"always","accuracy":"reduced","wake":true,"what":"all","enabled":true"#,
        #","number":7,"kind":"service","authorization":"always","purposeKey":"p","seconds":30,"timeout":5"#,
        #","from":-9e9,"to":9e9,"limit":256,"newest":true,"before":9007199254740992,"offset":3,"window":"day""#,
        #","reach":"planar","offset":[1,2,3],"matrix":[[1,0,0],[0,1,0],[0,0,1]],"norm":20,"residual":1,"axis":[0,0,1]"#,
    ]

    private static let rows: [[UInt8]] = {
        var rows = [[1, 3, 2, 16], [1, 4, 0, 31], [1, 2, 1, 0], [2, 3, 2, 16]] as [[UInt8]]
        for name in [2, 3, 4, 5] {
            let line = lines.first { $0.starts(with: Array("{\"request\":\"monitorRegion\"\(members[name])".utf8)) }
            guard case .success(let request)? = line.map(ClientRequestDecoder.decode),
                case .monitoring(.region(let region)) = request.kind
            else { continue }
            rows.append(RegionRegistration(region).encode())
        }
        rows.append(VisitWatch(toldVisit: 7).encode())
        rows.append(VisitWatch().encode())
        rows.append(HeldSessions([SessionGoal(kind: .service, authorization: .always)]).encode())
        rows.append(LocationFilter().encode())
        return rows
    }()

    /// The records of a recording: a start, a client with many requests, and epochs of a receiver.
    private static let records: [[UInt8]] = {
        let configuration = EngineConfiguration(
            device: "/dev/gnss", fixedBaud: 9600, lastBaud: nil, now: BuildDate.instant)
        let client = ClientID(rawValue: 1)
        var inputs: [Input] = [
            .started(configuration), .admission(.everyone), .storeRead, .clockTrusted(BuildDate.instant),
        ]
        inputs.append(.clientConnected(client, .local, nil, others: []))
        inputs += lines.prefix { $0.first == UInt8(ascii: "{") }.enumerated().filter { $0.offset % 10 < 3 }
            .map { .clientLine(client, .local, $0.element) }
        for time in ["120000", "120001", "120005"] {
            inputs.append(.bytes(sentence("GNGGA,\(time).00,4722.6140,N,00832.5020,E,1,09,0.9,408.0,M,47.5,M,,")))
            inputs.append(.bytes(sentence("GNRMC,\(time).00,A,4722.6140,N,00832.5020,E,0.1,0.0,150127,,,A")))
            inputs.append(.timePassed)
        }
        return inputs.enumerated().map { index, input in
            var bytes: [UInt8] = []
            FlightFormat.append(input, at: instant(index), digest: 0, to: &bytes)
            return bytes
        }
    }()

    private static func sentence(_ body: String) -> [UInt8] {
        let sum = body.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return Array("$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
    }
}

internal import SextantUnits

/// The durable record of the visit monitor, little-endian.
///
/// Version (1 byte: 1), flags (1 byte: instants are dated, older fixes were known, there was a visit), the next visit's
/// and the next place's number (8 bytes each), the end of the last visit (8), the places (count in 2 bytes, 48 each),
/// the stay (1 byte that says whether there is one, then 117) and the newest fixes (count in 1 byte, 32 each). An
/// instant is nanoseconds since 1970 (8 bytes), a coordinate two numbers of degrees, a length metres, a weight seconds
/// (8 bytes each, IEEE 754). With 256 places and 128 fixes, the largest numbers, the record has 16.5 kB.
extension VisitMonitor {
    /// The largest number of fixes stored; up to `approach` of these fixes come before the stay, or before the
    /// departure from it, and give the speed at which the board came or left.
    fileprivate static let keptSamples = 128
    private static let approach = 8

    /// The record that must be stored, so that each event is reported only once even if the daemon is restarted.
    ///
    /// - Parameter offset: Nanoseconds to add to this boot's instants to make UTC; nil where no clock can be trusted.
    ///   If it is nil, a reported stay is stored, but the time of its beginning is lost.
    public func encode(offset: Int64?) -> [UInt8] {
        let kept = track.samples.suffix(keptCount)
        var record = VisitRecord()
        record.isDated = offset != nil
        record.isCut = track.isCut || kept.count < track.count
        record.hasDeparture = lastDeparture != nil
        record.nextVisit = nextVisit
        record.nextPlace = places.nextID
        record.departure = (lastDeparture ?? .zero).advanced(byNanoseconds: offset ?? 0)
        record.places = places.places
        record.stay = stay.map { stay in
            var stored = StoredStay(coordinate: track.frame.coordinate(of: stay.middle), stay: stay)
            stored.stay.move(by: offset ?? 0)
            return stored
        }
        record.fixes = kept.map { sample in
            StoredFix(
                instant: sample.instant.advanced(byNanoseconds: offset ?? 0),
                coordinate: track.frame.coordinate(of: sample.point), deviation: sample.deviation)
        }
        return record.encode()
    }

    /// The number of newest fixes to store: those of a stay that is not reported yet, or those since the board left a
    /// reported stay; and `approach` fixes that came before these.
    private var keptCount: Int {
        let first: Int? = stay.flatMap { stay in
            stay.told == nil ? track.index(of: stay.firstInside) : stay.away.flatMap { track.index(of: $0) }
        }
        return min(track.count - (first ?? track.count) + VisitMonitor.approach, VisitMonitor.keptSamples)
    }

    /// Restores a monitor from its record; nil if the record has another version or is damaged.
    ///
    /// - Parameter offset: Nanoseconds to add to this boot's instants to make UTC. If it is nil, or was nil when the
    ///   record was made, data that depend on instants are dropped, because it is better to wait for the clock.
    public init?(decoding bytes: Span<UInt8>, offset: Int64?, _ settings: VisitSettings = VisitSettings()) {
        guard let record = VisitRecord.decode(bytes),
            let places = KnownPlaces(restoring: record.places, nextID: record.nextPlace)
        else { return nil }
        self.init(settings)
        nextVisit = record.nextVisit
        self.places = places
        let offset = record.isDated ? offset : nil
        guard restore(record.fixes, offset: offset) else { return nil }
        if record.isCut { track.markCut() }
        if record.hasDeparture, let offset { lastDeparture = record.departure.advanced(byNanoseconds: -offset) }
        newest = track.last?.instant
        if let stay = record.stay { restore(stay, offset: offset) }
    }

    /// Restores the newest fixes; returns false if they are not in the order of their times.
    private mutating func restore(_ fixes: [StoredFix], offset: Int64?) -> Bool {
        for fix in fixes {
            let instant = fix.instant.advanced(byNanoseconds: -(offset ?? 0))
            if let last = track.last, instant <= last.instant { return false }
            _ = track.append(
                latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude, deviation: fix.deviation,
                at: instant)
        }
        if offset == nil { track.removeAll() }
        return true
    }

    private mutating func restore(_ stored: StoredStay, offset: Int64?) {
        guard offset != nil || stored.stay.told != nil else { return }
        var stay = stored.stay
        if track.count == 0 {
            _ = track.append(
                latitude: stored.coordinate.latitude, longitude: stored.coordinate.longitude, deviation: stay.spread,
                at: .zero)
        }
        stay.middle = track.frame.point(stored.coordinate)
        if offset == nil {
            track.removeAll()
            (stay.arrival, stay.isArrivalKnown, stay.away) = (.zero, false, nil)
            (stay.firstInside, stay.lastInside) = (.zero, .zero)
        } else {
            stay.move(by: -(offset ?? 0))
            // The record does not say if the board was leaving the place; fixes after the restart must show it anew.
            stay.away = nil
        }
        self.stay = stay
    }
}

/// The stored form of a visit monitor: its places are in degrees, its instants in UTC if the clock was trusted
/// (`isDated`).
private struct VisitRecord: Recorded {
    var isDated = false
    var isCut = false
    var hasDeparture = false
    var nextVisit: UInt64 = 1
    var nextPlace: UInt64 = 1
    /// The end of the last visit; meaningless if `hasDeparture` is false.
    var departure = MonotonicInstant.zero
    var places: [KnownPlace] = []
    var stay: StoredStay?
    var fixes: [StoredFix] = []

    static var blank: VisitRecord { VisitRecord() }

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        var flags: InlineArray<3, Bool> = [isDated, isCut, hasDeparture]
        try record.code(&flags)
        (isDated, isCut, hasDeparture) = (flags[0], flags[1], flags[2])
        try record.code(&nextVisit)
        try record.code(&nextPlace)
        try departure.code(&record)
        try record.code(&places, count: UInt16.self)
        var hasStay = stay != nil
        try record.code(&hasStay)
        try record.code(&stay, where: hasStay)
        try record.code(&fixes, count: UInt8.self)
        try record.check(fixes.count <= VisitMonitor.keptSamples)
    }
}

private typealias Coordinate = (latitude: Double, longitude: Double)

/// The stored form of a fix, with its position in degrees.
private struct StoredFix: Recorded {
    var instant: MonotonicInstant
    var coordinate: Coordinate
    var deviation: Double

    static var blank: StoredFix { StoredFix(instant: .zero, coordinate: (0, 0), deviation: 0) }

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try instant.code(&record)
        try record.code(latitude: &coordinate.latitude, longitude: &coordinate.longitude)
        try record.code(length: &deviation)
    }
}

/// The stored form of a stay, with the place's middle in degrees.
private struct StoredStay: Recorded {
    var coordinate: Coordinate
    var stay: Stay

    static var blank: StoredStay {
        let stay = Stay(
            middle: LocalPoint(east: 0, north: 0), spread: 0, weight: 0, arrival: .zero, isArrivalKnown: false,
            firstInside: .zero, lastInside: .zero, insideCount: 0)
        return StoredStay(coordinate: (0, 0), stay: stay)
    }

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(latitude: &coordinate.latitude, longitude: &coordinate.longitude)
        try stay.code(&record)
    }
}

extension Stay {
    /// Adds nanoseconds to the stay's instants, to convert them to another clock.
    fileprivate mutating func move(by nanoseconds: Int64) {
        arrival = arrival.advanced(byNanoseconds: nanoseconds)
        firstInside = firstInside.advanced(byNanoseconds: nanoseconds)
        lastInside = lastInside.advanced(byNanoseconds: nanoseconds)
        away = away?.advanced(byNanoseconds: nanoseconds)
    }

    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(length: &spread)
        try record.code(length: &weight)
        try arrival.code(&record)
        try firstInside.code(&record)
        try lastInside.code(&record)
        var left = away ?? lastInside
        try left.code(&record)
        try record.code(&insideCount, as: UInt32.self)
        var flags: InlineArray<4, Bool> = [isArrivalKnown, away != nil, isWide, told != nil]
        try record.code(&flags)
        (isArrivalKnown, isWide) = (flags[0], flags[2])
        away = flags[1] ? left : nil
        var visit = told ?? ToldVisit(visit: 0, place: 0, latitude: 0, longitude: 0, radius: 0, confidence: 0)
        try visit.code(&record)
        told = flags[3] ? visit : nil
    }
}

extension ToldVisit {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&visit)
        try record.code(&place)
        try record.code(latitude: &latitude, longitude: &longitude)
        try record.code(length: &radius)
        try record.code(length: &confidence)
    }
}

extension KnownPlace: Recorded {
    static var blank: KnownPlace {
        KnownPlace(id: 0, latitude: 0, longitude: 0, spread: 0, weight: 0, lastVisit: 0)
    }

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&id)
        try record.code(latitude: &latitude, longitude: &longitude)
        try record.code(length: &spread)
        try record.code(length: &weight)
        try record.code(&lastVisit)
    }
}

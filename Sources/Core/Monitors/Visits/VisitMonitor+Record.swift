internal import SextantUnits

/// The durable record of the visit monitor, little-endian.
///
/// Version (1 byte: 1), flags (1: instants are dated, older fixes were known, there was a visit), the next visit's and
/// the next place's number (8 each), the end of the last visit (8), the places (count in 2 bytes, 48 each), the stay
/// (1 byte whether there is one, 117) and the newest fixes (count in 1 byte, 32 each). An instant is nanoseconds since
/// 1970 (8 bytes), a coordinate two numbers of degrees, a length metres, a weight seconds (8 bytes each, IEEE 754).
/// With 256 places and 128 fixes, the most there can be, it has 16.5 kB.
extension VisitMonitor {
    private static let version: UInt8 = 1
    /// The most fixes that are kept, and those of them before a stay or its end, which tell the board's speed.
    private static let keptSamples = 128
    private static let approach = 8

    /// The record that must be durable, so that each event is reported once over a restart.
    ///
    /// - Parameter offset: Nanoseconds to add to this boot's instants to make UTC; nil where no clock can be trusted.
    ///   Without it a reported stay is kept, but the time of its beginning is lost.
    public func encode(offset: Int64?) -> [UInt8] {
        var record = RecordWriter()
        record.write(VisitMonitor.version)
        let kept = track.samples.suffix(keptCount)
        let isCut = track.isCut || kept.count < track.count
        record.write(UInt8((offset == nil ? 0 : 1) | (isCut ? 2 : 0) | (lastDeparture == nil ? 0 : 4)))
        record.write(nextVisit)
        record.write(places.nextID)
        record.write((lastDeparture?.nanoseconds ?? 0) &+ (offset ?? 0))
        record.write(UInt16(places.places.count))
        for place in places.places { place.write(to: &record) }
        record.write(UInt8(stay == nil ? 0 : 1))
        if let stay { write(stay, offset: offset ?? 0, to: &record) }
        record.write(UInt8(kept.count))
        for sample in kept {
            record.write(sample.instant.nanoseconds &+ (offset ?? 0))
            record.write(track.frame.coordinate(of: sample.point))
            record.write(sample.deviation)
        }
        return record.bytes
    }

    /// The number of newest fixes to keep: those of a stay not reported yet, or those since the board left a reported
    /// one.
    private var keptCount: Int {
        let first: Int? = stay.flatMap { stay in
            stay.told == nil ? track.index(of: stay.firstInside) : stay.away.flatMap { track.index(of: $0) }
        }
        return min(track.count - (first ?? track.count) + VisitMonitor.approach, VisitMonitor.keptSamples)
    }

    /// Goes on from a record; nil where it has another version or is damaged.
    ///
    /// - Parameter offset: Nanoseconds to add to this boot's instants to make UTC. Where it is nil, or was when the
    ///   record was made, data that rest on instants are not taken over: it is better to wait for the clock.
    public init?(decoding bytes: Span<UInt8>, offset: Int64?, _ settings: VisitSettings = VisitSettings()) {
        self.init(settings)
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == VisitMonitor.version, let flags = record.integer(UInt8.self), flags < 8,
            let nextVisit = record.integer(UInt64.self), let nextPlace = record.integer(UInt64.self),
            let departure = record.instant(), let count = record.integer(UInt16.self),
            Int(count) <= KnownPlaces.capacity
        else { return nil }
        self.nextVisit = nextVisit
        var known: [KnownPlace] = []
        for _ in 0..<count {
            guard let place = KnownPlace(reading: &record) else { return nil }
            known.append(place)
        }
        guard let places = KnownPlaces(restoring: known, nextID: nextPlace) else { return nil }
        self.places = places
        guard let hasStay = record.integer(UInt8.self), hasStay <= 1 else { return nil }
        var stored: StoredStay?
        if hasStay == 1 {
            guard let read = StoredStay(reading: &record) else { return nil }
            stored = read
        }
        let offset = flags & 1 == 0 ? nil : offset
        guard readSamples(&record, offset: offset), record.isAtEnd else { return nil }
        if flags & 2 != 0 { track.markCut() }
        if flags & 4 != 0, let offset { lastDeparture = departure.advanced(byNanoseconds: -offset) }
        newest = track.last?.instant
        if let stored { restore(stored, offset: offset) }
    }

    private mutating func readSamples(_ record: inout RecordReader, offset: Int64?) -> Bool {
        guard let count = record.integer(UInt8.self), count <= VisitMonitor.keptSamples else { return false }
        for _ in 0..<count {
            guard let time = record.integer(Int64.self), let coordinate = record.coordinate(),
                let deviation = record.length()
            else { return false }
            let instant = MonotonicInstant(nanoseconds: time &- (offset ?? 0))
            if let last = track.last, instant <= last.instant { return false }
            _ = track.append(
                latitude: coordinate.latitude, longitude: coordinate.longitude, deviation: deviation, at: instant)
        }
        if offset == nil { track.removeAll() }
        return true
    }

    private mutating func restore(_ stored: StoredStay, offset: Int64?) {
        guard offset != nil || stored.stay.told != nil else { return }
        var stay = stored.stay
        if track.count == 0 {
            _ = track.append(
                latitude: stored.latitude, longitude: stored.longitude, deviation: stay.spread, at: .zero)
        }
        stay.middle = track.frame.point(latitude: stored.latitude, longitude: stored.longitude)
        if offset == nil {
            track.removeAll()
            (stay.arrival, stay.isArrivalKnown, stay.away) = (.zero, false, nil)
            (stay.firstInside, stay.lastInside) = (.zero, .zero)
        } else {
            stay.move(by: -(offset ?? 0))
            // New fixes must show whether the place was being left.
            stay.away = nil
        }
        self.stay = stay
    }

    private func write(_ stay: Stay, offset: Int64, to record: inout RecordWriter) {
        var stay = stay
        stay.move(by: offset)
        record.write(track.frame.coordinate(of: stay.middle))
        stay.write(to: &record)
    }
}

/// A stay read from a record, whose middle is still in degrees.
private struct StoredStay {
    var stay: Stay
    var latitude: Double
    var longitude: Double

    init?(reading record: inout RecordReader) {
        guard let coordinate = record.coordinate(), let stay = Stay(reading: &record) else { return nil }
        self.stay = stay
        (latitude, longitude) = coordinate
    }
}

extension Stay {
    /// Moves its instants to another clock.
    fileprivate mutating func move(by nanoseconds: Int64) {
        arrival = arrival.advanced(byNanoseconds: nanoseconds)
        firstInside = firstInside.advanced(byNanoseconds: nanoseconds)
        lastInside = lastInside.advanced(byNanoseconds: nanoseconds)
        away = away?.advanced(byNanoseconds: nanoseconds)
    }

    fileprivate func write(to record: inout RecordWriter) {
        record.write(spread)
        record.write(weight)
        record.write(arrival.nanoseconds)
        record.write(firstInside.nanoseconds)
        record.write(lastInside.nanoseconds)
        record.write((away ?? lastInside).nanoseconds)
        record.write(UInt32(clamping: insideCount))
        let flags: [Bool] = [isArrivalKnown, away != nil, isWide, told != nil]
        record.write(flags.reversed().reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) })
        record.write(told?.visit ?? 0)
        record.write(told?.place ?? 0)
        record.write((told?.latitude ?? 0, told?.longitude ?? 0))
        record.write(told?.radius ?? 0)
        record.write(told?.confidence ?? 0)
    }

    fileprivate init?(reading record: inout RecordReader) {
        guard let spread = record.length(), let weight = record.length(), let arrival = record.instant(),
            let firstInside = record.instant(), let lastInside = record.instant(), let away = record.instant(),
            let insideCount = record.integer(UInt32.self), let flags = record.integer(UInt8.self), flags < 16,
            let visit = record.integer(UInt64.self), let place = record.integer(UInt64.self),
            let coordinate = record.coordinate(), let radius = record.length(), let confidence = record.length()
        else { return nil }
        self.init(
            middle: LocalPoint(east: 0, north: 0), spread: spread, weight: weight, arrival: arrival,
            isArrivalKnown: flags & 1 != 0, firstInside: firstInside, lastInside: lastInside,
            insideCount: Int64(insideCount))
        self.away = flags & 2 != 0 ? away : nil
        isWide = flags & 4 != 0
        guard flags & 8 != 0 else { return }
        told = ToldVisit(
            visit: visit, place: place, latitude: coordinate.latitude, longitude: coordinate.longitude,
            radius: radius, confidence: confidence)
    }
}

extension KnownPlace {
    fileprivate func write(to record: inout RecordWriter) {
        record.write(id)
        record.write((latitude, longitude))
        record.write(spread)
        record.write(weight)
        record.write(lastVisit)
    }

    fileprivate init?(reading record: inout RecordReader) {
        guard let id = record.integer(UInt64.self), let coordinate = record.coordinate(),
            let spread = record.length(), let weight = record.length(), let lastVisit = record.integer(UInt64.self)
        else { return nil }
        self.init(
            id: id, latitude: coordinate.latitude, longitude: coordinate.longitude, spread: spread, weight: weight,
            lastVisit: lastVisit)
    }
}

extension RecordWriter {
    fileprivate mutating func write(_ coordinate: (latitude: Double, longitude: Double)) {
        write(coordinate.latitude)
        write(coordinate.longitude)
    }
}

extension RecordReader {
    /// Reads a coordinate; nil where the record ends too soon or the numbers are not a place on Earth.
    fileprivate mutating func coordinate() -> (latitude: Double, longitude: Double)? {
        guard let latitude = double(), let longitude = double(), abs(latitude) <= 90, abs(longitude) <= 180 else {
            return nil
        }
        return (latitude, longitude)
    }

    /// A number that is finite and not negative.
    fileprivate mutating func length() -> Double? {
        double().flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    }

    fileprivate mutating func instant() -> MonotonicInstant? {
        integer(Int64.self).map { MonotonicInstant(nanoseconds: $0) }
    }
}

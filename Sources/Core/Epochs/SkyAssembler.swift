internal import GNSS
internal import NMEA0183

/// Joins GSV sentences to a sky view, and GSA sentences to the set of satellites used.
///
/// A view is a group of sentences per talker (or per talker and signal); an epoch's sky is all its groups. A group that is not whole
/// when its epoch closes goes on in the next one, as receivers that spread their views over several epochs need. At most
/// `capacity` entries are kept: a hostile stream of groups that never end costs no memory.
struct SkyAssembler {
    static let capacity = 192

    private var satellites: [Satellite] = []
    private var used: [SatelliteID] = []
    /// The same, to be asked, and room for a part of them.
    private var usedSet = SatelliteSet()
    private var partSet = SatelliteSet()
    /// Whether the satellites used came with this epoch; kept from the last one until then.
    private var hasFreshUse = false
    /// The view that is being received: its talker, the sentence to come, and where its satellites begin.
    private var openGroup: (talker: NMEATalker, next: Int, start: Int)?
    private var wholeGroups = 0
    /// Whether what is here is of an epoch that closed in the middle of a view.
    private var isCarriedOver = false
    private var mark = Mark()

    /// What there was when the last sentence with a time came.
    private struct Mark {
        var satellites = 0
        var used = 0
        var wholeGroups = 0
    }

    init() {
        satellites.reserveCapacity(SkyAssembler.capacity)
        used.reserveCapacity(SkyAssembler.capacity + NMEAFields.capacity)
    }

    /// How many satellites the epoch's GSA sentences named; nil where it had none.
    func usedCount(upToMark: Bool) -> Int? { hasFreshUse ? upToMark ? mark.used : used.count : nil }

    @inline(__always)
    mutating func push(_ view: GSV, talker: NMEATalker, fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) {
        if view.sentenceNumber == 1 {
            abandonOpenGroup()
            openGroup = (talker, 1, satellites.count)
        }
        // The signal may change within a view: Qualcomm's receivers count the sentences of all signals together.
        guard let group = openGroup, group.talker == talker, group.next == view.sentenceNumber else {
            abandonOpenGroup()
            return
        }
        view.append(satellitesOf: talker, fields: fields, in: bytes, to: &satellites, limit: SkyAssembler.capacity)
        openGroup?.next += 1
        if view.sentenceNumber >= view.sentenceCount {
            wholeGroups += 1
            openGroup = nil
            isCarriedOver = false
        }
    }

    @inline(__always)
    mutating func push(
        _ active: GSA, talker: NMEATalker, fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>
    ) {
        if !hasFreshUse {
            used.removeAll(keepingCapacity: true)
            usedSet.removeAll()
            hasFreshUse = true
        }
        let known = used.count
        active.append(satellitesOf: talker, fields: fields, in: bytes, to: &used)
        keepNewUse(from: known)
    }

    /// Takes out, of the satellites used from `first` on, those that were named before and those past the capacity.
    @inline(__always)
    private mutating func keepNewUse(from first: Int) {
        var kept = first
        for index in first..<used.count where kept < SkyAssembler.capacity && usedSet.insert(used[index]) {
            if kept != index { used[kept] = used[index] }
            kept += 1
        }
        used.removeLast(used.count - kept)
    }

    /// Takes back the satellites of a view whose other sentences were lost, and the closed epoch's that waited for them.
    private mutating func abandonOpenGroup() {
        guard let group = openGroup else { return }
        satellites.removeSubrange((isCarriedOver ? 0 : group.start)...)
        openGroup = nil
        guard isCarriedOver else { return }
        wholeGroups = 0
        mark.satellites = 0
        mark.wholeGroups = 0
        isCarriedOver = false
    }

    /// Says that a sentence with a time came: what follows may belong to the next epoch.
    mutating func setMark() {
        // A view that is not whole yet goes to the next epoch as one.
        mark = Mark(
            satellites: openGroup?.start ?? satellites.count, used: hasFreshUse ? used.count : 0,
            wholeGroups: wholeGroups)
    }

    /// Gives the epoch its sky and begins the next one's.
    ///
    /// - Parameter upToMark: Whether what came after the mark is the next epoch's.
    mutating func close(into epoch: inout Epoch, upToMark: Bool) {
        guard openGroup == nil || upToMark else {
            hasFreshUse = false
            isCarriedOver = true
            return
        }
        let taken = upToMark ? mark : Mark(satellites: satellites.count, used: used.count, wholeGroups: wholeGroups)
        let isUsePartial = upToMark && hasFreshUse
        if taken.wholeGroups > 0, !epoch.hasSky {
            if isUsePartial, taken.used > 0 {
                partSet.fill(used.prefix(taken.used))
                markUse(of: taken.satellites, in: partSet)
            } else {
                markUse(of: taken.satellites, in: usedSet)
            }
            give(taken.satellites, to: &epoch.satellites)
            epoch.hasSky = true
        } else {
            satellites.removeFirst(taken.satellites)
        }
        openGroup?.start -= taken.satellites
        wholeGroups -= taken.wholeGroups
        if isUsePartial, taken.used < used.count {
            used.removeFirst(taken.used)
            usedSet.fill(used[...])
        } else {
            hasFreshUse = false
        }
        mark = Mark()
    }

    private mutating func markUse(of count: Int, in set: borrowing SatelliteSet) {
        for index in 0..<count { satellites[index].isUsed = set.contains(satellites[index].id) }
    }

    /// Moves the first satellites to an epoch's view; all of them, the usual case, by exchanging the storage.
    private mutating func give(_ count: Int, to view: inout [Satellite]) {
        guard count < satellites.count || !view.isEmpty else {
            swap(&satellites, &view)
            return
        }
        view.append(contentsOf: satellites.prefix(count))
        satellites.removeFirst(count)
    }
}

/// A set of satellites, a bit each.
private struct SatelliteSet {
    private var bits = InlineArray<32, UInt64>(repeating: 0)

    /// A word for 64 numbers of one of the eight systems.
    @inline(__always)
    private static func word(_ id: SatelliteID) -> Int {
        Int(id.constellation.rawValue & 7) << 2 | Int(id.number >> 6)
    }

    @inline(__always)
    private static func bit(_ id: SatelliteID) -> UInt64 { 1 &<< UInt64(id.number & 63) }

    /// False where it was there before.
    @inline(__always)
    mutating func insert(_ id: SatelliteID) -> Bool {
        let (word, bit) = (SatelliteSet.word(id), SatelliteSet.bit(id))
        let old = bits[word]
        bits[word] = old | bit
        return old & bit == 0
    }

    mutating func removeAll() {
        bits = InlineArray(repeating: 0)
    }

    mutating func fill(_ ids: ArraySlice<SatelliteID>) {
        removeAll()
        for id in ids { _ = insert(id) }
    }

    @inline(__always)
    func contains(_ id: SatelliteID) -> Bool {
        // Read through a span: an InlineArray's own subscript copies all of it where it is not to be changed.
        bits.span[SatelliteSet.word(id)] & SatelliteSet.bit(id) != 0
    }
}

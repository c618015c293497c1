internal import GNSS
internal import NMEA0183

/// Joins GSV sentences to a sky view, and GSA sentences to the set of satellites used.
///
/// Each talker (or each talker and signal) sends its satellites as a group of sentences; the sky view of an epoch is
/// all its complete groups. A group that is incomplete when its epoch closes can be completed in the next one, because
/// some receivers spread their views over several epochs; if it is not completed there, only this group is dropped. A
/// group that is sent again replaces the earlier one. At most `capacity` entries are kept, so that a hostile stream of
/// groups cannot use up the memory.
struct SkyAssembler {
    static let capacity = 192

    private var satellites: [Satellite] = []
    private var used: [SatelliteID] = []
    /// The used satellites as a set for look-up; `partSet` is the set of those that were named up to the last sentence
    /// with a time.
    private var usedSet = SatelliteSet()
    private var partSet = SatelliteSet()
    /// Whether `used` comes from GSA sentences of this epoch; until the first of them, `used` is that of the previous
    /// epoch.
    private var hasFreshUse = false
    /// The complete groups, in the order of their satellites.
    private var groups: [Group] = []
    /// The group being received, whose satellites are the last in `satellites`; `nextSentence` is the number of its
    /// next sentence.
    private var openGroup: Group?
    private var nextSentence = 1
    private var mark = Mark()

    private struct Group {
        var talker: NMEATalker
        /// The signal that the group's first sentence names; 0 where it names none.
        var signal: Int
        /// The index of the group's first satellite.
        var start: Int
        var count = 0
        /// The receiver's latest dilutions when the group became complete.
        var dilution = DilutionOfPrecision()
    }

    /// The numbers of satellites, used satellites and complete groups when the last sentence with a time came.
    private struct Mark {
        var satellites = 0
        var used = 0
        var groups = 0
    }

    private static let groupCapacity = 64

    init() {
        satellites.reserveCapacity(SkyAssembler.capacity)
        groups.reserveCapacity(SkyAssembler.groupCapacity)
        used.reserveCapacity(SkyAssembler.capacity + NMEAFields.capacity)
    }

    /// How many satellites the epoch's GSA sentences named; nil where the epoch had no GSA.
    func usedCount(upToMark: Bool) -> Int? { hasFreshUse ? upToMark ? mark.used : used.count : nil }

    @inline(__always)
    mutating func push(
        _ view: GSV, _ dilution: DilutionOfPrecision, talker: NMEATalker, fields: borrowing NMEAFields,
        in bytes: borrowing Span<UInt8>
    ) {
        if view.sentenceNumber == 1 {
            abandonOpenGroup()
            openGroup = Group(talker: talker, signal: view.signalID ?? 0, start: satellites.count)
            nextSentence = 1
        }
        // The signal is not compared, because it can change within a group: Qualcomm's receivers number the sentences
        // of all signals together.
        guard let group = openGroup, group.talker == talker, nextSentence == view.sentenceNumber else {
            abandonOpenGroup()
            return
        }
        view.append(satellitesOf: talker, fields: fields, in: bytes, to: &satellites, limit: SkyAssembler.capacity)
        nextSentence += 1
        if view.sentenceNumber >= view.sentenceCount { keep(group, dilution) }
    }

    /// Keeps a complete group of sentences; it replaces the same group if that came earlier, but after the last
    /// sentence with a time.
    private mutating func keep(_ whole: Group, _ dilution: DilutionOfPrecision) {
        guard groups.count < SkyAssembler.groupCapacity else {
            abandonOpenGroup()
            return
        }
        openGroup = nil
        var group = whole
        group.count = satellites.count - group.start
        group.dilution = dilution
        groups.append(group)
        removeEarlierTelling(of: groups.count - 1, from: mark.groups)
    }

    /// Removes the earlier group, from `first` up to `index`, that has its talker, its signal and a satellite in common
    /// with the group at `index`.
    ///
    /// Some receivers send several groups of one talker that have no satellite in common; these groups are one view.
    private mutating func removeEarlierTelling(of index: Int, from first: Int) {
        for earlier in first..<index
        where groups[earlier].talker == groups[index].talker && groups[earlier].signal == groups[index].signal
            && haveCommonSatellite(groups[earlier], groups[index])
        {
            let count = groups[earlier].count
            satellites.removeSubrange(groups[earlier].start..<groups[earlier].start + count)
            for later in earlier + 1..<groups.count { groups[later].start -= count }
            openGroup?.start -= count
            groups.remove(at: earlier)
            return
        }
    }

    private func haveCommonSatellite(_ first: Group, _ second: Group) -> Bool {
        for index in first.start..<first.start + first.count {
            for other in second.start..<second.start + second.count
            where satellites[index].id == satellites[other].id && satellites[index].signal == satellites[other].signal {
                return true
            }
        }
        return false
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

    /// Removes used satellites, from index `first` on, that were named before or exceed the capacity.
    @inline(__always)
    private mutating func keepNewUse(from first: Int) {
        var kept = first
        for index in first..<used.count where kept < SkyAssembler.capacity && usedSet.insert(used[index]) {
            if kept != index { used[kept] = used[index] }
            kept += 1
        }
        used.removeLast(used.count - kept)
    }

    /// Drops a group whose other sentences were lost, or will not come because the recording ends.
    mutating func abandonOpenGroup() {
        guard let group = openGroup else { return }
        satellites.removeSubrange(group.start...)
        openGroup = nil
    }

    /// Notes that a sentence with a time came: later sentences can belong to the next epoch.
    mutating func setMark() { mark = present }

    var holdsViewUpToMark: Bool { mark.groups > 0 }

    /// The present numbers of satellites, used satellites and groups, without an incomplete group, which goes to the
    /// next epoch.
    private var present: Mark {
        Mark(
            satellites: openGroup?.start ?? satellites.count, used: hasFreshUse ? used.count : 0, groups: groups.count)
    }

    /// Moves the sky view into the epoch, and begins the view of the next epoch.
    ///
    /// - Parameter upToMark: Whether all that came after the last sentence with a time (the mark) belongs to the next
    ///   epoch.
    mutating func close(into epoch: inout Epoch, upToMark: Bool) {
        if !upToMark { removeEarlierTellings() }
        let taken = upToMark ? mark : present
        let isUsePartial = upToMark && hasFreshUse
        if taken.groups > 0, !epoch.hasSky {
            if isUsePartial, taken.used > 0 {
                partSet.fill(used.prefix(taken.used))
                markUse(of: taken.satellites, in: partSet)
            } else {
                markUse(of: taken.satellites, in: usedSet)
            }
            give(taken.satellites, to: &epoch.satellites)
            epoch.hasSky = true
            let dilution = groups[taken.groups - 1].dilution
            if SkyAssembler.differ(dilution, epoch.fix.dilution) { epoch.skyDilution = dilution }
        } else {
            satellites.removeFirst(taken.satellites)
        }
        forgetGroups(taken)
        if isUsePartial, taken.used < used.count {
            used.removeFirst(taken.used)
            usedSet.fill(used[...])
        } else {
            hasFreshUse = false
        }
        mark = Mark()
    }

    /// Whether two sets of dilutions from GSA sentences differ by more than rounding explains.
    private static func differ(_ first: DilutionOfPrecision, _ second: DilutionOfPrecision) -> Bool {
        if first.position != second.position || first.vertical != second.vertical { return true }
        guard let horizontal = first.horizontal, let other = second.horizontal else {
            return (first.horizontal == nil) != (second.horizontal == nil)
        }
        return abs(horizontal - other) > NMEAEvidence.dilutionRounding
    }

    /// Removes each group from before the last sentence with a time (the mark) that came again after the mark; for an
    /// epoch that gets all groups.
    private mutating func removeEarlierTellings() {
        guard mark.groups > 0, mark.groups < groups.count else { return }
        var index = mark.groups
        while index < groups.count {
            let count = groups.count
            removeEarlierTelling(of: index, from: 0)
            index += groups.count < count ? 0 : 1
        }
    }

    private mutating func forgetGroups(_ taken: Mark) {
        groups.removeFirst(taken.groups)
        for index in groups.indices { groups[index].start -= taken.satellites }
        openGroup?.start -= taken.satellites
    }

    /// Marks the satellites of a set as used; a satellite that GSA names but that has no carrier-to-noise ratio is not
    /// used, or not on this signal.
    private mutating func markUse(of count: Int, in set: borrowing SatelliteSet) {
        for index in 0..<count {
            satellites[index].isUsed = set.contains(satellites[index].id) && satellites[index].carrierToNoise != nil
        }
    }

    /// Moves the first `count` satellites to an epoch's view; if these are all, as usual, the two arrays are swapped.
    private mutating func give(_ count: Int, to view: inout [Satellite]) {
        guard count < satellites.count || !view.isEmpty else {
            swap(&satellites, &view)
            return
        }
        view.append(contentsOf: satellites.prefix(count))
        satellites.removeFirst(count)
    }
}

/// A set of satellites, with one bit for each satellite.
private struct SatelliteSet {
    private var bits = InlineArray<32, UInt64>(repeating: 0)

    /// The index of the word with the bit of this satellite; each of eight constellations has four words of 64 numbers.
    @inline(__always)
    private static func word(_ id: SatelliteID) -> Int {
        Int(id.constellation.rawValue & 7) << 2 | Int(id.number >> 6)
    }

    @inline(__always)
    private static func bit(_ id: SatelliteID) -> UInt64 { 1 &<< UInt64(id.number & 63) }

    /// Adds a satellite, and returns false where the set already held it.
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
        // Read through a span, because an InlineArray's own subscript copies the whole array on a read.
        bits.span[SatelliteSet.word(id)] & SatelliteSet.bit(id) != 0
    }
}

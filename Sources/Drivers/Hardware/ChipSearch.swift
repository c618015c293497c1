/// The search for chips of one kind on one bus.
///
/// It goes through the chips in their order, which is the catalogue's: those that are known by reading first, those that
/// must be written to last, and only where nobody has yet said who he is.
public struct ChipSearch: Sendable {
    /// Where a chip was found.
    public struct Place: Sendable, Equatable {
        /// Its index in the list of chips.
        public var index: Int
        public var address: I2CAddress
    }

    /// What is looked for, for messages: `magnetometer`.
    public var kind: String
    public var chips: [any IdentifiableChip.Type]
    /// The address that the board file gives; nil for all that the chips can have.
    public var address: I2CAddress?
    /// Whether the board file names the model: another chip there is then an error, and likelihood is not asked.
    public var isNamed: Bool

    public init(kind: String, chips: [any IdentifiableChip.Type], address: I2CAddress?, isNamed: Bool) {
        self.kind = kind
        self.chips = chips
        self.address = address
        self.isNamed = isNamed
    }

    /// Every chip that said who it is, in the order of the list.
    public func run(over bus: inout some I2CBus & ~Copyable) throws(ChipSearchError) -> [Place] {
        var findings = Findings()
        let readingFirst = chips.indices.filter { !chips[$0].writesToIdentify }
        let writingLast = chips.indices.filter { chips[$0].writesToIdentify }
        for index in readingFirst + writingLast {
            for place in addresses(of: index) where !findings.isKnown(place) {
                try ask(chips[index], index, at: place, &findings, over: &bus)
            }
        }
        guard findings.places.isEmpty else { return findings.places.sorted { $0.index < $1.index } }
        throw failure(findings, bus: bus.name)
    }

    private struct Findings {
        var places: [Place] = []
        var tried: [I2CAddress] = []
        var answering: [I2CAddress] = []
        var mismatch: ChipError?
        var busy: BusError?

        func isKnown(_ address: I2CAddress) -> Bool { places.contains { $0.address == address } }
    }

    private func addresses(of index: Int) -> [I2CAddress] {
        guard let address else { return chips[index].addresses }
        return chips[index].addresses.filter { $0 == address }
    }

    private func ask(
        _ chip: any IdentifiableChip.Type, _ index: Int, at place: I2CAddress, _ findings: inout Findings,
        over bus: inout some I2CBus & ~Copyable
    ) throws(ChipSearchError) {
        if !findings.tried.contains(place) { findings.tried.append(place) }
        do {
            let isIt = try isChip(chip, at: place, over: &bus)
            if isIt { findings.places.append(Place(index: index, address: place)) }
        } catch .bus(let error) where error.kind == .noAcknowledge {
            return
        } catch .bus(let error) where error.kind == .busy {
            findings.busy = error
            return
        } catch .bus(let error) {
            throw .chip(.bus(error))
        } catch {
            findings.mismatch = error
        }
        if !findings.answering.contains(place) { findings.answering.append(place) }
    }

    private func isChip(
        _ chip: any IdentifiableChip.Type, at place: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) -> Bool {
        try chip.checkIdentity(at: place, over: &bus)
        if isNamed { return true }
        do { return try chip.isLikely(at: place, over: &bus) } catch { throw .bus(error) }
    }

    private func failure(_ findings: Findings, bus: String) -> ChipSearchError {
        if let address, findings.tried.isEmpty {
            var possible: [I2CAddress] = []
            for place in chips.flatMap({ $0.addresses }) where !possible.contains(place) { possible.append(place) }
            return .impossibleAddress(kind: kind, address: address, possible: possible)
        }
        if isNamed, let mismatch = findings.mismatch { return .chip(mismatch) }
        if let busy = findings.busy { return .chip(.bus(busy)) }
        if findings.answering.isEmpty { return .nobodyAnswers(kind: kind, bus: bus, tried: findings.tried) }
        return .unknownChip(kind: kind, bus: bus, answering: findings.answering)
    }
}

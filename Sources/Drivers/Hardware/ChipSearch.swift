/// The search for chips of one kind, such as magnetometers, on one bus.
///
/// The search first tries all chips that are identified by reading alone. Only if none of those is found does it try
/// the chips that must be written to, one after the other until one is found. Both follow the order of `chips`. A chip
/// whose identity check can harm other chips is tried only if the board file gives its name or address.
public struct ChipSearch: Sendable {
    /// A chip that was found, with its address.
    public struct Match: Sendable, Equatable {
        /// The chip's index in `chips`, the list of the models that are searched for.
        public var index: Int
        public var address: I2CAddress
    }

    /// The kind of chip as messages name it, such as `magnetometer`.
    public var kind: String
    public var chips: [any IdentifiableChip.Type]
    /// The address, if the board file gives it; nil to search all possible addresses.
    public var address: I2CAddress?
    /// Whether the board file names the model; it is then an error if another chip answers, and `isLikely` is not
    /// asked.
    public var isNamed: Bool

    public init(kind: String, chips: [any IdentifiableChip.Type], address: I2CAddress?, isNamed: Bool) {
        self.kind = kind
        self.chips = chips
        self.address = address
        self.isNamed = isNamed
    }

    /// Finds every chip that reading alone identifies or, if there is none, the first one identified after a write.
    public func run(over bus: inout some I2CBus & ~Copyable) throws(ChipSearchError) -> [Match] {
        var findings = Findings()
        for index in chips.indices where !chips[index].writesToIdentify {
            try ask(index, &findings, over: &bus)
        }
        for index in chips.indices where chips[index].writesToIdentify && findings.matches.isEmpty {
            try ask(index, &findings, over: &bus)
        }
        guard findings.matches.isEmpty else { return findings.matches }
        throw failure(findings, bus: bus.name)
    }

    private struct Findings {
        var matches: [Match] = []
        var tried: [I2CAddress] = []
        var answering: [I2CAddress] = []
        var mismatch: ChipError?
        /// The errors for the addresses that kernel drivers hold, one for each.
        var held: [BusError] = []

        func isKnown(_ address: I2CAddress) -> Bool { matches.contains { $0.address == address } }

        mutating func note(held error: BusError) { if !held.contains(error) { held.append(error) } }
    }

    private func isAsked(_ chip: any IdentifiableChip.Type) -> Bool {
        isNamed || address != nil || !chip.isAskedByNameOnly
    }

    private func addresses(of chip: any IdentifiableChip.Type) -> [I2CAddress] {
        guard isAsked(chip) else { return [] }
        guard let address else { return chip.addresses }
        return chip.addresses.filter { $0 == address }
    }

    private func ask(
        _ index: Int, _ findings: inout Findings, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipSearchError) {
        for address in addresses(of: chips[index]) where !findings.isKnown(address) {
            try ask(index, at: address, &findings, over: &bus)
        }
    }

    private func ask(
        _ index: Int, at address: I2CAddress, _ findings: inout Findings, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipSearchError) {
        if !findings.tried.contains(address) { findings.tried.append(address) }
        do {
            if try isChip(chips[index], at: address, over: &bus) {
                findings.matches.append(Match(index: index, address: address))
            }
        } catch .bus(let error) where error.kind == .noAcknowledge {
            return
        } catch .bus(let error) where error.kind == .busy {
            findings.note(held: error)
            return
        } catch .bus(let error) {
            throw .chip(.bus(error))
        } catch {
            findings.mismatch = error
        }
        if !findings.answering.contains(address) { findings.answering.append(address) }
    }

    private func isChip(
        _ chip: any IdentifiableChip.Type, at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) -> Bool {
        try chip.checkIdentity(at: address, over: &bus)
        if isNamed { return true }
        do { return try chip.isLikely(at: address, over: &bus) } catch { throw .bus(error) }
    }

    private func failure(_ findings: Findings, bus: String) -> ChipSearchError {
        if let address, findings.tried.isEmpty {
            var possible: [I2CAddress] = []
            for address in chips.flatMap({ $0.addresses }) where !possible.contains(address) {
                possible.append(address)
            }
            return .impossibleAddress(kind: kind, address: address, possible: possible)
        }
        if isNamed, let mismatch = findings.mismatch { return .chip(mismatch) }
        if let address, let error = findings.held.first(where: { $0.address == address }) { return .chip(.bus(error)) }
        if findings.answering.isEmpty {
            let unasked = chips.filter { !isAsked($0) }.map { $0.name }
            return .nobodyAnswers(
                kind: kind, bus: bus, tried: findings.tried, held: findings.held, unasked: unasked)
        }
        return .unknownChip(kind: kind, bus: bus, answering: findings.answering)
    }
}

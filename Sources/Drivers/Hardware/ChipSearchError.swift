/// Why no chip of the searched kind was found, or why the search had to stop.
public enum ChipSearchError: Error, Sendable, Equatable {
    /// The bus failed, or the chip that answers is not the model that the board file names.
    case chip(ChipError)
    /// No chip answers at any possible address.
    ///
    /// `held` has the addresses that kernel drivers hold, `unasked` the models that are tried only if the board file
    /// names them.
    case nobodyAnswers(
        kind: String, bus: String, tried: [I2CAddress], held: [BusError] = [], unasked: [String] = [])
    /// A chip answers, but is no known model of the searched kind.
    case unknownChip(kind: String, bus: String, answering: [I2CAddress])
    /// The board file gives an address that the searched chip cannot have.
    case impossibleAddress(kind: String, address: I2CAddress, possible: [I2CAddress])
}

extension ChipSearchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .chip(let error): error.description
        case .nobodyAnswers(let kind, let bus, let tried, let held, let unasked):
            "\(bus): no \(kind) answers at \(list(tried)); check its supply and wiring, or name another bus"
                + held.map { note($0, kind) }.joined()
                + unasked.map { "; \($0) is asked only where the board file names it" }.joined()
        case .unknownChip(let kind, let bus, let answering):
            "\(bus): a chip answers at \(list(answering)), but as no \(kind) that is known; "
                + "name its model and address in the board file, or check its wiring"
        case .impossibleAddress(let kind, let address, let possible):
            "no \(kind) can be at \(address); give one of \(list(possible))"
        }
    }

    private func note(_ held: BusError, _ kind: String) -> String {
        let place = held.address?.description ?? held.bus
        return "; \(held.holder) has \(place): unbind it if that is the \(kind)"
    }

    private func list(_ addresses: [I2CAddress]) -> String {
        addresses.map { $0.description }.joined(separator: ", ")
    }
}

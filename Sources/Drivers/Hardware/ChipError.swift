/// Why a chip could not be used, in terms its caller can act on.
public enum ChipError: Error, Sendable, Equatable {
    case bus(BusError)
    /// The measurement was not there by when the data sheet says that it must be.
    case notReady(chip: String)
    /// The chip has forgotten its configuration: it lost power, or was reset by somebody else; configure it anew.
    case wasReset(chip: String)
    /// A register that says who the chip is holds something else.
    case wrongIdentity(chip: String, register: UInt8, expected: UInt8, found: UInt8)
    /// What the chip stored in the factory cannot be right.
    case badTrim(chip: String)
}

extension ChipError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .bus(let error): error.description
        case .notReady(let chip): "\(chip): no measurement came; check its supply, or name the chip that it is"
        case .wasReset(let chip): "\(chip): it lost its configuration; check its supply"
        case .wrongIdentity(let chip, let register, let expected, let found):
            "this is no \(chip): register \(I2CAddress(register)) holds \(I2CAddress(found)), not "
                + "\(I2CAddress(expected)); name the chip that is there"
        case .badTrim(let chip): "\(chip): its factory trim cannot be read; check the wiring, or replace it"
        }
    }
}

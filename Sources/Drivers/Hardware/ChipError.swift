/// Why a chip could not be used, with one case for each thing that the caller can do about it.
///
/// The chip's bus and address are only for messages; comparisons ignore them.
public enum ChipError: Error, Sendable {
    case bus(BusError)
    /// No measurement was ready after the longest time that the data sheet gives.
    case notReady(chip: String, at: ChipAddress? = nil)
    /// The chip lost its configuration, because it lost power or another program reset it; it must be configured again.
    case wasReset(chip: String, at: ChipAddress? = nil)
    /// An identity register does not hold the value that this kind of chip has there.
    case wrongIdentity(chip: String, register: UInt8, expected: UInt8, found: UInt8, at: ChipAddress? = nil)
    /// The trim values that the factory stored in the chip are implausible.
    case badTrim(chip: String, at: ChipAddress? = nil)
}

extension ChipError: Equatable {
    public static func == (left: ChipError, right: ChipError) -> Bool {
        switch (left, right) {
        case (.bus(let left), .bus(let right)): left == right
        case (.notReady(let left, _), .notReady(let right, _)): left == right
        case (.wasReset(let left, _), .wasReset(let right, _)): left == right
        case (.badTrim(let left, _), .badTrim(let right, _)): left == right
        case (.wrongIdentity(let left, let register, let expected, let found, _), .wrongIdentity):
            if case .wrongIdentity(left, register, expected, found, _) = right { true } else { false }
        default: false
        }
    }
}

extension ChipError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .bus(let error): error.description
        case .notReady(let chip, let place):
            "\(prefix(place))the \(chip) gave no measurement in time; check its supply, or name the chip that it is"
        case .wasReset(let chip, let place):
            "\(prefix(place))the \(chip) lost its configuration; check its supply"
        case .wrongIdentity(let chip, let register, let expected, let found, let place):
            "\(prefix(place))this is no \(chip), for its register \(register.hexadecimal) holds \(found.hexadecimal) "
                + "and not \(expected.hexadecimal); name the chip that is there"
        case .badTrim(let chip, let place):
            "\(prefix(place))the factory trim of the \(chip) cannot be read; check the wiring, or replace the chip"
        }
    }

    private func prefix(_ chip: ChipAddress?) -> String { chip.map { "\($0): " } ?? "" }
}

/// Why a sentence with a correct checksum could not be decoded.
///
/// Fields are numbered as in the standard's tables: 1 is the first value after the address.
public enum NMEAFieldError: Error, Sendable, Equatable {
    case tooFewFields(expected: Int, actual: Int)
    case notANumber(field: Int)
    case outOfRange(field: Int)
}

/// Why a checked sentence was not decoded.
///
/// The field is counted as the standard's tables do: 1 is the first value after the address.
public enum NMEAFieldError: Error, Sendable, Equatable {
    case tooFewFields(expected: Int, actual: Int)
    case notANumber(field: Int)
    case outOfRange(field: Int)
}

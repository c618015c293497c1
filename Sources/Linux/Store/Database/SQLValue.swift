/// A value that goes into a statement.
enum SQLValue {
    case integer(Int64)
    case real(Double?)
    case text(String)
    case blob([UInt8])
}

/// A value that is bound to a parameter of an SQL statement; a number that is nil is bound as NULL.
package enum SQLValue {
    case null
    case integer(Int64)
    case real(Double?)
    case text(String)
    case blob([UInt8])
}

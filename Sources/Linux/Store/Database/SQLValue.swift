/// A value that is bound to a parameter of an SQL statement.
package enum SQLValue {
    case integer(Int64)
    case real(Double?)
    case text(String)
    case blob([UInt8])
}

/// Why a payload could not be decoded.
public enum UBXPayloadError: Error, Sendable, Hashable {
    /// The payload has `actual` bytes, but must have `expected` bytes; where a payload states how many items it holds,
    /// `expected` follows from that number.
    case wrongLength(expected: Int, actual: Int)
    /// The field's value is outside the range that the u-blox document gives.
    case outOfRange(field: UBXField, value: Int64)
}

/// A field of a UBX payload, by its name in the u-blox documents.
public enum UBXField: String, Sendable, Hashable {
    case version, type, lat, lon, latHp, lonHp, heightHp, hMSLHp
    case year, month, day, hour, min, sec, nano, ns, fTOW, tAccNs
    case fixType, gpsFix, lsChange, layer, key, cmd, response, infoCode
    case portID, lpMode, resetMode, dynModel, fixMode, timeRef, layers, alt
}

/// Throws unless `value` lies in `range`.
@inline(__always)
func require<Value: FixedWidthInteger>(
    _ field: UBXField, _ value: Value, in range: ClosedRange<Value>
) throws(UBXPayloadError) {
    guard range.contains(value) else { throw .outOfRange(field: field, value: Int64(truncatingIfNeeded: value)) }
}

/// Throws unless the payload has `expected` bytes.
@inline(__always)
func require(_ payload: borrowing Span<UInt8>, byteCount expected: Int) throws(UBXPayloadError) {
    guard payload.count == expected else { throw .wrongLength(expected: expected, actual: payload.count) }
}

/// Throws where the latitude is outside ±90 degrees or the longitude outside ±180.
@inline(__always)
func requirePosition(latitudeE7: Int32, longitudeE7: Int32) throws(UBXPayloadError) {
    try require(.lat, latitudeE7, in: -900_000_000...900_000_000)
    try require(.lon, longitudeE7, in: -1_800_000_000...1_800_000_000)
}

/// Throws unless the payload's length is that of its header and its items; the byte at `countAt` is the number of
/// items.
@inline(__always)
func requireGroup(
    _ payload: borrowing Span<UInt8>, header: Int, countAt offset: Int, item: Int
) throws(UBXPayloadError) {
    guard payload.count >= header else { throw .wrongLength(expected: header, actual: payload.count) }
    try require(payload, byteCount: header + Int(payload[offset]) * item)
}

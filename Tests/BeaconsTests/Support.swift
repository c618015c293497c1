import Beacons

/// The bytes of hexadecimal digits; blanks between them do not count.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

/// The beacon of an advertisement, or why there is none.
func decode(
    _ advertisement: [UInt8], formats: Set<Beacon.Format> = [.iBeacon, .altBeacon]
) -> Result<Beacon, BeaconRefusal> {
    Result { () throws(BeaconRefusal) in try Beacon(advertisement: advertisement.span, formats: formats) }
}

/// The packet of `custom-components/ble_monitor`: UUID E2C56DB5-…, major 100, minor 0, -59 dBm at 1 m.
let iBeacon = bytes("02011A 1AFF4C000215 E2C56DB5DFFB48D2B060D0F5A71096E0 0064 0000 C5")
/// The advertisement of android-beacon-library's own test.
let altBeacon = bytes("1BFF1801BEAC2F234454CF6D4A0FADF2F4911BA9FFA600010002C509")

/// Event 0x002F, an advertisement that a monitor heard, of controller 0.
func heard(_ advertisement: [UInt8], strength: UInt8 = 0xB3, discovering: Bool = false) -> [UInt8] {
    var parameters: [UInt8] = discovering ? [] : [0, 0]
    parameters += bytes("433EA2C96B6A 02") + [strength] + bytes("00000000")
    parameters += [UInt8(advertisement.count), 0] + advertisement
    return [discovering ? 0x12 : 0x2F, 0, 0, 0, UInt8(parameters.count), 0] + parameters
}

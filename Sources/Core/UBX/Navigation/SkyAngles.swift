/// The values by which NAV-SAT and NAV-SVINFO mark a satellite's direction or signal as unknown.
enum SkyAngles {
    /// The elevation written for an unknown one; like receivers' own marks, it is outside ±90.
    static let unknownElevation: Int16 = -91

    static func carrierToNoise(_ value: UInt8) -> UInt8? { value == 0 ? nil : value }

    static func elevation(_ degrees: Int8) -> Int16? { (-90...90).contains(degrees) ? Int16(degrees) : nil }

    /// The azimuth from 0 up to 360; nil without an elevation, and 360 becomes 0.
    static func azimuth(_ degrees: Int16, of elevation: Int16?) -> Int16? {
        guard elevation != nil, (0...360).contains(degrees) else { return nil }
        return degrees == 360 ? 0 : degrees
    }
}

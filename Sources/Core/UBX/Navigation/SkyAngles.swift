/// How NAV-SAT and NAV-SVINFO say that a satellite's direction or signal is not known.
enum SkyAngles {
    /// Out of the range ±90, which receivers send where the elevation is not known.
    static let unknownElevation: Int16 = -91

    static func carrierToNoise(_ value: UInt8) -> UInt8? { value == 0 ? nil : value }

    static func elevation(_ degrees: Int8) -> Int16? { (-90...90).contains(degrees) ? Int16(degrees) : nil }

    /// Nil without an elevation; 360 is north.
    static func azimuth(_ degrees: Int16, of elevation: Int16?) -> Int16? {
        guard elevation != nil, (0...360).contains(degrees) else { return nil }
        return degrees == 360 ? 0 : degrees
    }
}

/// Reads the directions and signal strengths of NAV-SAT and NAV-SVINFO; a number with which the receiver marks an
/// unknown value becomes nil.
enum SkyAngles {
    /// The number to write for an unknown elevation; like every number outside ±90, it is read as unknown.
    static let unknownElevation: Int16 = -91

    static func carrierToNoise(_ value: UInt8) -> UInt8? { value == 0 ? nil : value }

    static func elevation(_ degrees: Int8) -> Int16? { (-90...90).contains(degrees) ? Int16(degrees) : nil }

    /// The azimuth, 0 to 359 degrees, where 360 is read as 0; nil where the elevation is unknown or the number is
    /// outside 0 to 360.
    static func azimuth(_ degrees: Int16, of elevation: Int16?) -> Int16? {
        guard elevation != nil, (0...360).contains(degrees) else { return nil }
        return degrees == 360 ? 0 : degrees
    }
}

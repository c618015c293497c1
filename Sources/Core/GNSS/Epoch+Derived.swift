/// Values derived from what the receiver reported.
extension Epoch {
    /// The fix, with a horizontal accuracy where one is stated or can be derived.
    ///
    /// A missing accuracy is derived from the receiver's error statistics or, without them, from the geometry: for a
    /// circular error of σ on each axis, 68 % lie within 1.51 σ (the Rayleigh distribution), and σ√2 is the horizontal
    /// dilution times the error of one range. The error of one range is assumed to be 4.3 m, for single-frequency
    /// receivers under open sky: a few metres of ionosphere and troposphere, a metre each of orbits, clocks and the
    /// receiver itself.
    public var fixWithAccuracy: Fix {
        var fix = fix
        guard fix.hasPosition, fix.horizontalAccuracy == nil else { return fix }
        if let latitude = errors?.latitude, let longitude = errors?.longitude, latitude > 0 || longitude > 0 {
            let axis = ((latitude * latitude + longitude * longitude) / 2).squareRoot()
            fix.horizontalAccuracy = Epoch.radiusOfAxis * axis
        } else if let dilution = fix.dilution.horizontal {
            fix.horizontalAccuracy = Epoch.radiusOfAxis / 2.0.squareRoot() * Epoch.rangeError * dilution
        }
        return fix
    }

    /// The strongest carrier-to-noise density in dB-Hz; 0 where no satellite is received, nil without a sky view.
    public var strongestSignal: Double? {
        guard hasSky else { return nil }
        var strongest: UInt8 = 0
        for satellite in satellites { strongest = max(strongest, satellite.carrierToNoise ?? 0) }
        return Double(strongest)
    }

    private static let radiusOfAxis = 1.51
    /// The assumed standard deviation of the error of one range, in metres.
    private static let rangeError = 4.3
}

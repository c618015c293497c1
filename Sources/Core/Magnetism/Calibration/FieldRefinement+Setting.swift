extension FieldRefinement {
    /// What a refinement needs to know besides the samples, and which parameters it is allowed to change.
    struct Setting {
        var usesGravity = false
        /// Whether a rotation between the accelerometer's frame and the magnetometer's is fitted.
        var hasTurn = false
        /// Whether the samples lie in the plane of x and y, so that the parameters that describe z are held fixed.
        var isPlanar = false
        var earth: EarthField?
    }
}

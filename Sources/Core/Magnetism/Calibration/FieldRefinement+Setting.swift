extension FieldRefinement {
    /// The inputs of a refinement besides the samples, and the results that it may change.
    struct Setting {
        var usesGravity = false
        /// Whether the accelerometer's frame may be turned against the magnetometer's.
        var hasTurn = false
        /// Whether the samples lie in the plane of x and y, so that parameters outside the plane are held fixed.
        var isPlanar = false
        var earth: EarthField?
    }
}

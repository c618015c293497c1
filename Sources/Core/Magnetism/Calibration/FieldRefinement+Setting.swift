extension FieldRefinement {
    /// What is asked of the fit beside the samples.
    struct Setting {
        var usesGravity = false
        /// Whether the accelerometer's frame may be turned against the magnetometer's.
        var hasTurn = false
        /// Whether the samples lie in the plane of x and y, and what is out of it stays as it is.
        var isPlanar = false
        var earth: EarthField?
    }
}

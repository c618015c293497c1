/// The limits by which a stay counts as a visit.
public struct VisitSettings: Sendable, Equatable {
    /// The shortest stay that is a visit; seconds.
    public var minimumStay: Double
    /// The least radius of a place, used where the fixes are good; metres.
    ///
    /// Where the fixes scatter more, the radius grows with the scatter.
    public var placeRadius: Double

    public init(minimumStay: Double = 300, placeRadius: Double = 40) {
        self.minimumStay = minimumStay
        self.placeRadius = placeRadius
    }
}

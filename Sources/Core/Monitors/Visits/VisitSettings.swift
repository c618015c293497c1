/// What counts as a visit.
public struct VisitSettings: Sendable, Equatable {
    /// The shortest stay that is a visit; seconds.
    public var minimumStay: Double
    /// How far from its middle one still is at a place, where the fixes are good; metres.
    ///
    /// Where they scatter more, it is as much more as they do.
    public var placeRadius: Double

    public init(minimumStay: Double = 300, placeRadius: Double = 40) {
        self.minimumStay = minimumStay
        self.placeRadius = placeRadius
    }
}

/// What a client's user does while positions are followed: the cue for when to pause, and for how fast the board may be.
///
/// Core Location's `CLActivityType`; `spec/power.md` section 5 has what each means for pausing.
public enum ActivityType: UInt8, Sendable, CaseIterable {
    /// No cue.
    case other = 0
    /// A car on roads.
    case automotiveNavigation = 1
    /// On foot, or a bicycle.
    case fitness = 2
    /// A boat, a train or anything else that is no car.
    case otherNavigation = 3
    case airborne = 4

    /// The word of the wire and of the command line.
    public var name: StaticString {
        switch self {
        case .other: "other"
        case .automotiveNavigation: "automotiveNavigation"
        case .fitness: "fitness"
        case .otherNavigation: "otherNavigation"
        case .airborne: "airborne"
        }
    }

    public init?(name: String) {
        for activity in ActivityType.allCases where activity.name.description == name {
            self = activity
            return
        }
        return nil
    }

    /// How strict it is beside others: a faster one asks more of a plan, and any cue says more than none.
    var strictness: Int {
        switch self {
        case .other: 0
        case .fitness: 1
        case .otherNavigation: 2
        case .automotiveNavigation: 3
        case .airborne: 4
        }
    }
}

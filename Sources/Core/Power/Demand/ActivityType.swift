/// The kind of movement that a client expects, which decides when reports pause and how fast the board can be.
///
/// This is Core Location's `CLActivityType`; `PauseRule` gives the times and limits of each case.
public enum ActivityType: UInt8, Sendable, CaseIterable {
    /// The client names no activity.
    case other = 0
    /// A car on roads.
    case automotiveNavigation = 1
    /// Walking, running or cycling.
    case fitness = 2
    /// A boat, a train or any vehicle other than a car.
    case otherNavigation = 3
    case airborne = 4

    /// The activity's name on the wire and on the command line.
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

    /// The activity's rank by speed, `other` lowest; of several clients' activities, that with the highest rank counts.
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

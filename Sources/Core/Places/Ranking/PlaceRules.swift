/// The rules by which a point gets the name of a town.
///
/// The nearest place gives the point its country and time zone. Its town is the one for which the distance to the point
/// is the smallest share of the town's urban radius. The nearest place alone would give the wrong town in about one
/// case in ten within cities, because the sections of a city have points of their own.
public enum PlaceRules {
    /// A town of this population is taken to lie within this many metres of its point.
    ///
    /// The distance is 0.5 km plus the radius of a circle with 3000 people per square kilometre.
    public static func urbanRadius(population: UInt32) -> Double {
        500 + 1000 * (Double(population) / (3000 * Double.pi)).squareRoot()
    }

    /// The urban radius that counts when towns are compared, in metres: at most 12 km.
    ///
    /// 12 km is the radius of 1.2 million people; without this limit the largest cities would give their names to
    /// points in the towns beside them. In a test with about 2600 points whose towns came from other sources, 3.0 % got
    /// a wrong name without the limit, and 2.6 % with it. With as many other points, which were not used to choose the
    /// limit, the shares were 2.8 % and 2.5 %. The test applied the rules outside this program.
    public static func countedRadius(_ radius: Double) -> Double { min(radius, 12_000) }

    /// The distance in metres beyond which even the nearest place does not name a point.
    public static let reach = 200_000.0
    /// The distance in metres from an imported address within which the town that it names is searched.
    public static let townReach = 30_000.0
    /// The distance in metres within which two parts of towns with one name count as a single part.
    public static let sameNameReach = 5_000.0
    /// The distance in metres from a town's point beyond which a point is not in that town.
    ///
    /// The search for the town goes no farther. The urban radius of a megacity is larger (London's is 31 km), but a
    /// city too far away to name the point must not displace the nearer town that can. Source: Immich, which names
    /// places offline in production, uses 25 km.
    public static let localityReach = 25_000.0

    /// The distance in metres from the nearest place beyond which a point of the sea is in no country: 12 nautical
    /// miles, the breadth of territorial waters.
    ///
    /// Source: United Nations Convention on the Law of the Sea, article 3.
    public static let territorialReach = 22_224.0

    /// The smallest ratio of a city's population to that of a place at which the place can be a part of the city.
    public static let partRatio = 10.0
    /// The share of a city's urban radius within which smaller places count as parts of the city.
    public static let partDepth = 0.6

    /// Whether a place is a part of a city, decided by their populations and the distance between them in metres.
    ///
    /// The caller has made sure that both are in the same country and state.
    public static func isPart(population: UInt32, ofCity city: UInt32, distance: Double) -> Bool {
        Double(city) >= partRatio * max(1, Double(population)) && distance <= partDepth * urbanRadius(population: city)
    }

    /// Whether a latitude and a longitude in degrees are on the globe.
    public static func isPlace(latitude: Double, longitude: Double) -> Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude)
    }
}

enum NameRules {
    /// The largest number of words of a text that are tried as one name.
    static let longestName = 8
    /// The largest number of places, or of points of interest, with one name that are examined.
    static let closest = 64
    /// The distance in metres within which a place counts as near a city, however small the city is, so that a text can
    /// name the city beside the place.
    static let besideReach = 5000.0
}

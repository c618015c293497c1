/// The rules by which a point gets the name of a town.
///
/// The nearest place names the country and the zone. The town is the one whose urban radius the point is deepest in:
/// the nearest place alone is wrong in about one case in ten within cities, whose sections have points of their own.
public enum PlaceRules {
    /// Metres within which a town of so many people lies about its point: 0.5 km, and a circle of 3000 people a square
    /// kilometre.
    public static func urbanRadius(population: UInt32) -> Double {
        500 + 1000 * (Double(population) / (3000 * Double.pi)).squareRoot()
    }

    /// The bound of an urban radius where towns are compared: 12 km at most, in metres as the radius is.
    ///
    /// That is the radius of 1.2 million people: with more, the largest cities would name the towns beside them. Of
    /// some 2600 points in towns of other sources 3.0 in 100 got a wrong name without this bound and 2.6 with it; of as
    /// many others, by which it was not chosen, 2.8 and 2.5. This was worked out apart from the program, by the rules
    /// alone.
    public static func countedRadius(_ radius: Double) -> Double { min(radius, 12_000) }

    /// Metres beyond which the nearest place says nothing.
    public static let reach = 200_000.0
    /// Metres within which the town that an imported address names is looked for.
    public static let townReach = 30_000.0
    /// Metres within which two parts of towns that have one name are the same part.
    public static let sameNameReach = 5_000.0
    /// Metres beyond which a point is in no town.
    ///
    /// The town is looked for no farther: a megacity's urban radius is larger (London's is 31 km), and a city that is
    /// too far off to name a point must not stand before the nearer town that does.
    ///
    /// Source: Immich, which names places offline in production, has 25 km.
    public static let localityReach = 25_000.0

    /// Metres from the nearest place beyond which a point of the sea is in no country: 12 nautical miles, the breadth
    /// of territorial waters.
    ///
    /// Source: United Nations Convention on the Law of the Sea, article 3.
    public static let territorialReach = 22_224.0

    /// How many times more people a city has, at the least, than a place that is a part of it.
    public static let partRatio = 10.0
    /// The part of a city's urban radius in which places are its parts.
    public static let partDepth = 0.6

    /// Whether a place is a part of a city, by their populations and the metres between them.
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

/// How far a search for a text goes.
enum NameRules {
    /// The most words of a name.
    static let longestName = 8
    /// The most places, or points of interest, of a name that are looked at closely.
    static let closest = 64
    /// Metres within which a city is near, however small, and so may be named beside a place.
    static let besideReach = 5000.0
}

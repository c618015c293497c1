public import Monitors

/// What is monitored for each client, whether it runs or not.
public struct RegistrationBook: Sendable {
    public struct Entry: Sendable {
        public var client: String
        /// Nil while visits are not monitored.
        public var visits: VisitWatch?
        /// Nil while significant changes are not monitored.
        public var significantChange: SignificantChangeMonitor?
        /// Whether its regions are watched: it may be told of them.
        public var watchesRegions = false
        private var regionsByKey: [RegionKey: RegionRegistration] = [:]

        init(client: String) { self.client = client }

        public var regionCount: Int { regionsByKey.count }

        /// How many things are monitored.
        public var count: Int { regionCount + (visits == nil ? 0 : 1) + (significantChange == nil ? 0 : 1) }

        /// In the order of their names.
        public var regions: [RegionRegistration] {
            regionsByKey.keys.sorted().compactMap { regionsByKey[$0] }
        }

        public subscript(region key: RegionKey) -> RegionRegistration? {
            get { regionsByKey[key] }
            set { regionsByKey[key] = newValue }
        }
    }

    /// In the order of the clients' names.
    public private(set) var entries: [Entry] = []

    public init() {}

    public func place(of client: String) -> Int? { entries.firstIndex { $0.client == client } }

    public subscript(client: String) -> Entry? { place(of: client).map { entries[$0] } }

    /// Changes one client's entry in place; one that is left empty goes.
    public mutating func update<Result>(_ client: String, _ body: (inout Entry) -> Result) -> Result {
        let place: Int
        if let known = self.place(of: client) {
            place = known
        } else {
            place = entries.firstIndex { $0.client > client } ?? entries.count
            entries.insert(Entry(client: client), at: place)
        }
        let result = body(&entries[place])
        if entries[place].count == 0 { entries.remove(at: place) }
        return result
    }

    /// Changes an entry in place.
    public mutating func update<Result>(at place: Int, _ body: (inout Entry) -> Result) -> Result {
        body(&entries[place])
    }

    public mutating func forget(_ client: String) { entries.removeAll { $0.client == client } }
}

internal import Foundation

/// The members of one line; each is nil where it is absent or not of the type asked for.
struct LineMembers {
    let container: KeyedDecodingContainer<DaemonLine.Key>

    init(_ container: KeyedDecodingContainer<DaemonLine.Key>) {
        self.container = container
    }

    subscript<Value: Decodable>(_ key: DaemonLine.Key) -> Value? {
        try? container.decodeIfPresent(Value.self, forKey: key)
    }

    /// An instant in ISO 8601, with or without milliseconds.
    func date(_ key: DaemonLine.Key) -> Date? {
        guard let text: String = self[key] else { return nil }
        return (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
            ?? (try? Date.ISO8601FormatStyle().parse(text))
    }

    var coordinate: CLLocationCoordinate2D? {
        guard let latitude: Double = self[.latitude], let longitude: Double = self[.longitude] else { return nil }
        return CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }
}

internal import Foundation

extension NSCoder {
    /// The object under a key; nil where there is none.
    ///
    /// Foundation makes an error of a missing key, and a subclass may have made the archive without its superclass's
    /// keys.
    func objectIfPresent<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: type, forKey: key)
    }
}

/// A value's two names in archives: the one that this module writes, and the one that Apple's Core Location writes.
///
/// Apple publishes no names. Those here are what its `init(coder:)` asks for in public decompilations of iOS 13 to 18,
/// and, for locations, what public forensic tools find in archives.
struct ArchiveKey {
    let own: String
    let apple: String
}

extension NSCoder {
    /// The number under either name of a key; nil where the archive has neither.
    func double(_ key: ArchiveKey) -> Double? {
        name(of: key).map { decodeDouble(forKey: $0) }
    }

    /// The truth value under either name of a key; nil where the archive has neither.
    func bool(_ key: ArchiveKey) -> Bool? {
        name(of: key).map { decodeBool(forKey: $0) }
    }

    func text(_ key: ArchiveKey) -> String? {
        name(of: key).flatMap { decodeObject(of: NSString.self, forKey: $0) }.map { String(describing: $0) }
    }

    /// The instant under either name of a key: in this module's archives seconds since 2001, in Apple's an `NSDate`.
    func date(_ key: ArchiveKey) -> Date? {
        if containsValue(forKey: key.own) {
            return Date(timeIntervalSinceReferenceDate: decodeDouble(forKey: key.own))
        }
        return objectIfPresent(of: NSDate.self, forKey: key.apple)
            .map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
    }

    func coordinate(_ latitude: ArchiveKey, _ longitude: ArchiveKey) -> CLLocationCoordinate2D? {
        guard let latitude = double(latitude), let longitude = double(longitude) else { return nil }
        return CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }

    /// The name under which the archive has the value; nil where it has none.
    private func name(of key: ArchiveKey) -> String? {
        [key.own, key.apple].first { containsValue(forKey: $0) }
    }
}

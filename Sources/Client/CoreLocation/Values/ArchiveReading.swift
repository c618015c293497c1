internal import Foundation

extension NSCoder {
    /// The object under a key; nil if the archive has no such key.
    ///
    /// If the key is missing, Foundation's own method reports an error, but a subclass can write an archive without its
    /// superclass's keys.
    func objectIfPresent<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: type, forKey: key)
    }
}

/// The two names of a value's key in archives: the one that this module writes, and the one that Apple's Core Location
/// writes.
///
/// Apple does not publish its keys. The keys here are those that Apple's `init(coder:)` reads in public decompilations
/// of iOS 13 to 18, and, for locations, those that public forensic tools find in archives.
struct ArchiveKey {
    let own: String
    let apple: String
}

extension NSCoder {
    /// The number under either of a key's two names, this module's or Apple's; nil if the archive has neither.
    func double(_ key: ArchiveKey) -> Double? {
        name(of: key).map { decodeDouble(forKey: $0) }
    }

    /// The truth value under either of a key's two names, this module's or Apple's; nil if the archive has neither.
    func bool(_ key: ArchiveKey) -> Bool? {
        name(of: key).map { decodeBool(forKey: $0) }
    }

    func text(_ key: ArchiveKey) -> String? {
        name(of: key).flatMap { decodeObject(of: NSString.self, forKey: $0) }.map { String(describing: $0) }
    }

    /// The instant under either of a key's two names: seconds since 2001 in this module's archives, an `NSDate` in
    /// Apple's.
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

    /// The one of a key's two names, this module's and Apple's, that the archive has; nil if it has neither.
    private func name(of key: ArchiveKey) -> String? {
        [key.own, key.apple].first { containsValue(forKey: $0) }
    }
}

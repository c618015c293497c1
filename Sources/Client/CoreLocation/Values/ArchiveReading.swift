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

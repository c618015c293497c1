internal import Foundation

/// Support for archives that programs on Apple's platforms wrote.
public enum SextantArchives {
    /// Lets `NSKeyedUnarchiver` read the locations, headings, visits and circles that Apple's Core Location archived.
    ///
    /// Apple's archives name a class without its module, and Foundation on Linux looks for such a name in Foundation
    /// alone. Call this method once, before the first archive is read; without this call, reading an archive of Apple's
    /// throws.
    public static func acceptAppleClassNames() {
        let classes: [AnyClass] = [CLLocation.self, CLHeading.self, CLVisit.self, CLCircularRegion.self, CLRegion.self]
        for type in classes { NSKeyedUnarchiver.setClass(type, forClassName: "\(type)") }
    }
}

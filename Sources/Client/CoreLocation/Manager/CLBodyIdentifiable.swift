public import Foundation

/// A body or view to whose top headings can refer; new in iOS 27, and declared here from Apple's documentation alone.
public protocol CLBodyIdentifiable: NSObjectProtocol {}

public import Foundation

/// A body or view whose top headings can refer to; new in iOS 27, and declared here from Apple's documentation alone.
public protocol CLBodyIdentifiable: NSObjectProtocol {}

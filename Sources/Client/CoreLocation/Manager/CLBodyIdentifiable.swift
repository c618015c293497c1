public import Foundation

/// A body or view whose top can be the direction from which headings are measured; new in iOS 27, and declared here
/// from Apple's documentation alone.
public protocol CLBodyIdentifiable: NSObjectProtocol {}

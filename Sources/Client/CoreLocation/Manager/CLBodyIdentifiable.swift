public import Foundation

/// A body or view whose top a heading may be told of; new in iOS 27, declared here from Apple's documentation alone.
public protocol CLBodyIdentifiable: NSObjectProtocol {}

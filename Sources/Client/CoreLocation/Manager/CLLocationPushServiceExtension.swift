public import Foundation

/// The interface of an extension that answers location pushes; declared so that such an extension compiles.
///
/// No location push reaches a board, and nothing here calls these methods.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
    /// Answers one location push; the method must call the completion once it has finished.
    func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void)

    /// Called shortly before an extension that takes too long is ended; optional.
    func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
    public func serviceExtensionWillTerminate() {}
}

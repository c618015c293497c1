public import Foundation

/// The interface of an extension that answers location pushes; declared so that such an extension compiles.
///
/// No location push reaches a board, and nothing here calls these methods.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
    /// Answers one push; the method must call the completion once it has finished.
    func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void)

    /// Called shortly before the extension is ended because it takes too long; optional.
    func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
    public func serviceExtensionWillTerminate() {}
}

public import Foundation

/// The interface of an extension that answers location pushes, so that a program that has one compiles.
///
/// No location push reaches a board, and nothing here calls these methods.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
    /// Answers one push; the completion is to be called once that is done.
    func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void)

    /// Tells that the extension is about to be ended because it takes too long; may be left out.
    func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
    public func serviceExtensionWillTerminate() {}
}

public import Foundation

open class CLLocationManager: NSObject {
    open weak var delegate: (any CLLocationManagerDelegate)?

    /// The location delivered before the one being delivered, for delegates of the oldest kind; nil at the first.
    var previousDelivered: CLLocation?

    open var authorizationStatus: CLAuthorizationStatus { .notDetermined }
}

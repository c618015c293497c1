public import Foundation

/// What tells a program where it is.
///
/// Everything here returns at once: what it begins is told to the `delegate` later, on the run loop of the thread that
/// made the manager (on the main queue, if that was the main thread). Call it on that thread. A manager cannot be made
/// where no run loop runs, on a dispatch queue other than the main one or in a `Task` off the main actor: that ends the
/// program with a sentence that says so. Keep a manager in something that lives as long as its service is wanted; letting
/// go of it ends its updates and the question it asked the user, but not regions, visits or significant changes.
open class CLLocationManager: NSObject {
    let core: ManagerCore
    var settings = WatchSettings() {
        didSet { settingsDidChange() }
    }

    /// The number under which the daemon knows this manager, once it asked for something.
    var session: Int?
    /// The names of what runs now; what the daemon says of others is late.
    var watchName: String?
    var locateName: String?
    var completions: [String: ((any Error)?) -> Void] = [:]

    /// What the delegate is being told now, so that it reads the same here.
    var toldLocation: CLLocation?
    var toldAuthorization: Authorization?

    /// The location delivered before the one being delivered, for delegates of the oldest kind; nil at the first.
    var previousDelivered: CLLocation?

    /// Who is told; it is not kept alive by this.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet { tellWhatWasKept() }
    }

    /// What the locations are for, in the user's words; the manifest's texts are shown instead.
    @available(*, deprecated, message: "Set the purpose texts in the client's manifest.")
    open var purpose: String? {
        get { storedPurpose }
        set { storedPurpose = newValue }
    }

    private var storedPurpose: String?

    /// The least change of heading that is told.
    ///
    /// Unit: degree.
    open var headingFilter: CLLocationDegrees = 1

    open var headingOrientation: CLDeviceOrientation = .portrait

    public override init() {
        do {
            core = try ManagerCore(client: .shared)
        } catch {
            fatalError(error.description)
        }
        super.init()
        core.attach(self)
    }

    /// A manager of another daemon's client.
    init(client: LocationClient) throws(ExecutorError) {
        core = try ManagerCore(client: client)
        super.init()
        core.attach(self)
    }

    deinit {
        core.detach(session: session)
    }

    var client: LocationClient { core.client }
}

import ClientProtocol
import ClientVocabulary
import Fusion
import GNSS
import Monitors
import Outbox
import Parts
import SextantJSON
import SextantUnits

@testable import Access
@testable import Engine

let start = MonotonicInstant(nanoseconds: 1_000_000_000)

/// A part's surroundings: `tracker` is authorized always, has a wake unit and may have two regions; `guest` was never asked
/// about, and may not be started.
func grants(tracker answer: OperatorAnswer = .always) -> Grants {
    var tracker = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
    tracker.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it")
    tracker.wakeUnit = "tracker.service"
    tracker.maximumRegions = 2
    let guest = ClientManifest(name: "guest", selector: ClientSelector(unit: "guest.service"))
    let manifests = ClientManifests([guest, tracker])
    var book = AuthorizationBook()
    var effects: [AuthorizationEffect] = []
    book.handle(.manifests(manifests), at: start, into: &effects)
    book.handle(.answered(client: "tracker", answer), at: start, into: &effects)
    book.handle(.setMayBeWoken(client: "guest", false), at: start, into: &effects)
    return Grants(book, Admission(manifests: manifests, policy: OperatorPolicy()), holders: [], areRestored: true)
}

func context(_ grants: Grants = grants()) -> EventContext {
    EventContext(grants: grants, clock: ReceiverClock(time: nil, closedAt: nil), outageReason: nil)
}

/// What is known before any fix.
var nowhere: Whereabouts { Whereabouts(clock: FixClock(), reduced: ReducedAccuracy(), last: nil, fused: nil) }

extension Turn {
    /// A turn in which nothing was done yet.
    init(at instant: MonotonicInstant) {
        self.init()
        begin(at: instant)
    }

    /// Whether nothing that parts told one another was left over.
    var isSettled: Bool { found.isEmpty && news.isEmpty && changes.isEmpty }

    /// The lines that were sent to a client.
    borrowing func lines(to client: UInt32) -> [String] {
        actions.compactMap { action in
            guard case .send(ClientID(rawValue: client), let range) = action else { return nil }
            return text.string(range)
        }
    }
}

import Foundation
import Synchronization
import Testing

@testable import CoreLocation

@Suite("The order of what managers are told")
struct ManagerOrderTests {
    /// Notes what it hears; while it hears the first, another thread changes the state again.
    private final class Recorder: EventSink {
        let client: LocationClient
        let heard = Mutex<[String]>([])
        let hasHeardSecond = DispatchSemaphore(value: 0)

        init(_ client: LocationClient) { self.client = client }

        func receive(_ event: ClientEvent) {
            guard case .paused(let name, _) = event else { return }
            if name == "first" {
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread { [self] in
                    tell("second")
                    done.signal()
                }
                done.wait()
            }
            heard.withLock { $0.append(name) }
            if name == "second" { hasHeardSecond.signal() }
        }

        func whenSettled(_ done: @escaping @Sendable () -> Void) { done() }

        func tell(_ name: String) {
            client.update { _ in ((), [EventDelivery(event: .paused(of: name, withoutFix: false), sinks: [self])]) }
        }
    }

    @Test func `a callback from a second thread waits until the first thread's callback is done`() {
        let recorder = Recorder(LocationClient(path: "/none"))
        recorder.tell("first")
        // The thread that finds that there is no daemon may make the second call, and end it after this one returns.
        recorder.hasHeardSecond.wait()
        #expect(recorder.heard.withLock { $0 } == ["first", "second"])
    }
}

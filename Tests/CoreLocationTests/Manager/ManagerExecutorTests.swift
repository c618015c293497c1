import Foundation
import Testing

@testable import CoreLocation

@Suite("Managers: where they call back")
struct ManagerExecutorTests {
    let daemon = FakeDaemon()

    @Test func `RUN-01: a manager made on a thread calls back on that thread, in order`() async throws {
        let client = daemon.client
        await client.pinged()
        let threads: [Bool] = await withCheckedContinuation { done in
            Thread.detachNewThread {
                done.resume(returning: Self.listen(to: client, daemon))
            }
        }
        #expect(threads == [true, true, true])
    }

    private static let expected = ["authorization authorizedWhenInUse", "locations 1", "locations 2"]

    /// Runs this thread's run loop until three callbacks came; whether each came on this thread, in order.
    private static func listen(to client: LocationClient, _ daemon: FakeDaemon) -> [Bool] {
        let home = Thread.current
        let recorder = Recorder()
        var onHome: [Bool] = []
        recorder.during = { _, call in
            onHome.append(Thread.current === home && call == expected[onHome.count])
            if onHome.count == 1 { Task { await send(client, daemon) } }
        }
        let manager = CLLocationManager(client: client)
        manager.delegate = recorder
        manager.startUpdatingLocation()
        while onHome.count < 3 { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
        manager.delegate = nil
        return onHome
    }

    private static func send(_ client: LocationClient, _ daemon: FakeDaemon) async {
        while !(await client.ping()) {}
        daemon.send(location(1, second: 1), location(2, second: 2))
    }

    @Test func `RUN-02: a manager made where no run loop runs calls back on the main queue`() async {
        let client = daemon.client
        await client.pinged()
        let recorder = Recorder()
        // The main queue may run on another thread than the main one.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isOnMain = await withCheckedContinuation { done in
            recorder.during = { _, _ in done.resume(returning: DispatchQueue.getSpecific(key: key) == true) }
            DispatchQueue.global().async { [recorder] in
                let manager = CLLocationManager(client: client)
                manager.delegate = recorder
                recorder.keeps = manager
            }
        }
        #expect(isOnMain)
        recorder.keeps = nil
    }

    @Test func `RUN-02: such a manager is warned of on standard error, and ends nothing`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await withCheckedContinuation { done in
                DispatchQueue.global().async {
                    _ = CLLocationManager()
                    done.resume()
                }
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Make it on the main thread"))
    }

    @MainActor @Test func `the newest 256 reports wait for a busy thread`() async throws {
        let client = daemon.client
        let recorder = Recorder()
        let manager = CLLocationManager(client: client)
        manager.delegate = recorder
        manager.startUpdatingLocation()
        await client.settled()
        recorder.calls = []
        let watch = manager.watchName ?? ""
        for latitude in 0..<300 {
            let location = CLLocation(latitude: Double(latitude), longitude: 0)
            manager.core.receive(.locations([location], of: watch, isDeferred: false))
        }
        await client.settled()
        #expect(recorder.calls == (44..<300).map { "locations \($0)" })
    }
}

import ClientVocabulary
import GNSS
import Parts
import PartsTestSupport
import Power
import SextantUnits
import Testing

@testable import Delivery

@Suite("Deferred fix")
struct DeferredFixTests {
    private func bytes(_ fix: DeferredFix, _ key: DeferredKey) -> [UInt8] {
        var bytes: [UInt8] = []
        fix.encode(key) { bytes.append($0) }
        return bytes
    }

    private func decode(_ bytes: [UInt8]) -> (key: DeferredKey, fix: DeferredFix)? { DeferredFix.decode(bytes.span) }

    private var full: Fix {
        var full = fix(0, accuracy: 2.5)
        full.altitudeAboveMeanSeaLevel = 408.5
        full.heightAboveEllipsoid = 455.75
        full.geoidSeparation = 47.25
        full.verticalAccuracy = 4
        full.speed = 13.5
        full.speedAccuracy = 0.25
        full.courseOverGround = 359.5
        full.courseAccuracy = 1.5
        full.satellitesUsed = 12
        return full
    }

    @Test func `a deferred report reads back as it was written`() throws {
        for original in [full, fix(0, accuracy: nil)] {
            let deferred = try #require(DeferredFix(original, sequence: 7))
            #expect(deferred.fix == original)
            let key = DeferredKey(userID: 1000, client: "tracker", label: "track", session: 0)
            let encoded = bytes(deferred, key)
            #expect(encoded.count == DeferredFix.byteCount)
            let decoded = try #require(decode(encoded))
            #expect(decoded.key == key && decoded.fix == deferred && decoded.fix.sequence == 7)
        }
    }

    @Test func `a fix without a time, and a user without a number, read back as such`() throws {
        var timeless = fix(0)
        timeless.time = nil
        timeless.isTimeValidated = false
        let deferred = try #require(DeferredFix(timeless, sequence: 1))
        let decoded = try #require(
            decode(bytes(deferred, DeferredKey(userID: nil, client: "tracker", label: "", session: 0))))
        #expect(decoded.fix.fix == timeless)
        #expect(decoded.key.userID == nil)
        #expect(decoded.key != DeferredKey(userID: 0, client: "tracker", label: "", session: 0))
    }

    @Test func `the record is version 2 with the documented numbers`() throws {
        let deferred = try #require(DeferredFix(full, sequence: 0x0102))
        let encoded = bytes(
            deferred, DeferredKey(userID: 0x0A0B_0C0D, clientHash: 0x0807_0605_0403_0201, labelHash: 5, session: 63))
        #expect(Array(encoded[0..<8]) == [2, 3, 3, 0xFF, 0x0D, 0x0C, 0x0B, 0x0A])
        #expect(Array(encoded[8..<16]) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(Array(encoded[16..<24]) == [5, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(encoded[24..<32]) == [2, 1, 0, 0, 0, 0, 0, 0])
    }

    @Test func `each client, user, label and session has its own key, which reads back`() throws {
        let keys = [
            DeferredKey(userID: 1, client: "a", label: "b", session: 0),
            DeferredKey(userID: 2, client: "a", label: "b", session: 0),
            DeferredKey(userID: nil, client: "a", label: "b", session: 0),
            DeferredKey(userID: 1, client: "b", label: "b", session: 0),
            DeferredKey(userID: 1, client: "a", label: "a", session: 0),
            DeferredKey(userID: 1, client: "a", label: "b", session: 1),
        ]
        #expect(Set(keys).count == keys.count)
        let deferred = try #require(DeferredFix(full, sequence: 1))
        for key in keys { #expect(decode(bytes(deferred, key))?.key == key) }
    }

    @Test func `another length, version or content is refused`() throws {
        let encoded = bytes(
            try #require(DeferredFix(full, sequence: 1)),
            DeferredKey(userID: 1, client: "tracker", label: "a", session: 0))
        for length in 0..<encoded.count { #expect(decode(Array(encoded[..<length])) == nil) }
        for (place, value) in [(0, 1), (1, 0), (1, 9), (2, 11), (47, 0x7F)] as [(Int, UInt8)] {
            var damaged = encoded
            damaged[place] = value
            #expect(decode(damaged) == nil, "byte \(place)")
        }
        for place in encoded.indices {
            var damaged = encoded
            damaged[place] ^= 0xFF
            // Whatever it reads, it ends.
            _ = decode(damaged)
        }
    }

    @Test func `a solution without a position is not deferred`() {
        #expect(DeferredFix(Fix(), sequence: 1) == nil)
    }
}

@Suite("Deferred queues")
struct DeferredQueueTests {
    private let one = ClientID(rawValue: 1)
    private let two = ClientID(rawValue: 2)
    private let track = DeferredKey(userID: 1000, client: "tracker", label: "track", session: 0)

    @Test func `fixes keep their order and their numbers when the queue is stored`() {
        var queue = DeferredQueue(key: track, owner: one)
        let first = queue.append(fix(1))
        let second = queue.append(fix(2))
        #expect(first?.sequence == 1 && second?.sequence == 2)
        #expect(queue.fixes.map(\.sequence) == [1, 2])
        var queues = DeferredQueues()
        #expect(queues.claim(track, for: one) { _, _ in } == .granted)
        for metres in 1...3 { _ = queues.change(0) { $0.append(fix(Double(metres))) } }
        #expect(queues.empty(0) == 3)
        #expect(queues.empty(0) == nil)
        let next = queues.change(0) { $0.append(fix(4)) }
        #expect(next?.sequence == 4)
    }

    @Test func `the queue asks to be emptied at 80 % and never exceeds its bound`() {
        var queue = DeferredQueue(key: track, owner: one)
        for _ in 1...3275 { _ = queue.append(fix(0)) }
        #expect(!queue.isNearlyFull)
        for _ in 3276...4100 {
            _ = queue.append(fix(0))
            #expect(queue.isNearlyFull)
        }
        #expect(queue.fixes.count == 4096)
        #expect(queue.fixes.first?.sequence == 5)
    }

    @Test func `one client at a time owns a key, and the queue waits for its next owner`() {
        var queues = DeferredQueues()
        #expect(queues.claim(track, for: one) { _, _ in } == .granted)
        #expect(queues.claim(track, for: one) { _, _ in } == .granted)
        #expect(queues.claim(track, for: two) { _, _ in } == .taken)
        let other = DeferredKey(userID: 1001, client: "tracker", label: "track", session: 0)
        #expect(queues.claim(other, for: two) { _, _ in } == .granted)
        _ = queues.change(0) { $0.append(fix(0)) }
        queues.release(one)
        queues.release(two)
        #expect(queues.queues.map(\.key) == [track], "an empty one does not wait")
        #expect(queues.claim(track, for: two) { _, _ in } == .granted)
        #expect(queues.queues[0].fixes.count == 1)
    }

    @Test func `stored fixes are restored in order, each once, and numbering continues`() throws {
        var queues = DeferredQueues()
        for sequence in [4, 5, 5, 3, 9] as [UInt64] {
            queues.restore(try #require(DeferredFix(fix(0), sequence: sequence)), for: track) { _, _ in }
        }
        #expect(queues.queues[0].fixes.map(\.sequence) == [4, 5, 9])
        let next = queues.change(0) { $0.append(fix(0)) }
        #expect(next?.sequence == 10)
    }

    @Test func `RUN-11: forgetting a client deletes its queues and no other client's`() {
        var queues = DeferredQueues()
        #expect(queues.claim(track, for: one) { _, _ in } == .granted)
        let other = DeferredKey(userID: 1001, client: "other", label: "track", session: 0)
        #expect(queues.claim(other, for: two) { _, _ in } == .granted)
        for place in 0..<2 { _ = queues.change(place) { $0.append(fix(0)) } }
        #expect(queues.count(of: "tracker") == 1)
        var forgotten: [UInt64] = []
        queues.forget("tracker") { _, last in forgotten.append(last) }
        #expect(forgotten == [1] && queues.count(of: "tracker") == 0 && queues.count(of: "other") == 1)
    }

    @Test func `at 32 queues the oldest without an owner is deleted for a new one`() throws {
        var queues = DeferredQueues()
        for number in 0..<32 {
            let key = DeferredKey(userID: UInt32(number), client: "client \(number)", label: "", session: 0)
            #expect(queues.claim(key, for: ClientID(rawValue: UInt32(number))) { _, _ in } == .granted)
            _ = queues.change(number) { $0.append(fix(0)) }
        }
        #expect(queues.claim(track, for: ClientID(rawValue: 99)) { _, _ in } == .full)
        queues.release(ClientID(rawValue: 5))
        queues.release(ClientID(rawValue: 3))
        var forgotten: [DeferredKey] = []
        let claim = queues.claim(track, for: ClientID(rawValue: 99)) { key, last in
            forgotten.append(key)
            #expect(last == 1)
        }
        #expect(claim == .granted)
        #expect(forgotten == [DeferredKey(userID: 3, client: "client 3", label: "", session: 0)])
    }

    @Test func `one client has 8 queues, and leaves the others' alone`() throws {
        var queues = DeferredQueues()
        #expect(queues.claim(track, for: two) { _, _ in } == .granted)
        _ = queues.change(0) { $0.append(fix(0)) }
        queues.release(two)
        for number in 0..<8 as Range<UInt32> {
            let key = DeferredKey(userID: 1, client: "greedy", label: "\(number)", session: 0)
            #expect(queues.claim(key, for: ClientID(rawValue: 10 + number)) { _, _ in } == .granted)
            _ = queues.change(Int(number) + 1) { $0.append(fix(0)) }
        }
        let ninth = DeferredKey(userID: 2, client: "greedy", label: "8", session: 0)
        #expect(queues.claim(ninth, for: ClientID(rawValue: 18)) { _, _ in } == .clientFull)
        queues.release(ClientID(rawValue: 12))
        var forgotten: [DeferredKey] = []
        #expect(queues.claim(ninth, for: ClientID(rawValue: 18)) { key, _ in forgotten.append(key) } == .granted)
        #expect(forgotten == [DeferredKey(userID: 1, client: "greedy", label: "2", session: 0)])
        #expect(queues.count(of: "tracker") == 1)
    }
}

@Suite("Deferral")
struct DeferralTermTests {
    @Test func `the distance is measured from the board's position at the request`() {
        var term = DeferralTerm(Deferral(distance: 1000, timeout: nil), id: "d", from: fix(0), at: at(0))
        #expect(term.deadline == nil)
        #expect(term.heard(fix(900)) == nil)
        #expect(term.heard(fix(-200)) == nil, "net displacement, not the way")
        #expect(term.heard(fix(1001)) == .distance)
    }

    @Test func `the distance is measured from the place that the client names, wherever the board is`() {
        let origin = fix(0)
        let named = Deferral(
            distance: 1000, timeout: nil,
            from: Deferral.Place(latitude: origin.latitude ?? .nan, longitude: origin.longitude ?? .nan))
        var term = DeferralTerm(named, id: nil, from: fix(600), at: at(0))
        #expect(term.heard(fix(-600)) == nil)
        #expect(term.heard(fix(1001)) == .distance)
    }

    @Test func `without a position at the request the distance is measured from the first one`() {
        var term = DeferralTerm(Deferral(distance: 1000, timeout: nil), id: nil, from: Fix(), at: at(0))
        #expect(term.heard(fix(5000)) == nil)
        #expect(term.heard(fix(5999)) == nil)
        #expect(term.heard(fix(6001)) == .distance)
    }

    @Test func `the timeout runs from the request, and a deferral without bounds does not end`() {
        let term = DeferralTerm(Deferral(distance: nil, timeout: 300), id: nil, from: nil, at: at(10))
        #expect(term.deadline == at(310))
        var endless = DeferralTerm(
            Deferral(distance: nil, timeout: .greatestFiniteMagnitude), id: nil, from: fix(0), at: at(0))
        #expect(endless.deadline == nil)
        #expect(endless.heard(fix(9_000_000)) == nil)
    }

    @Test func `a deferral needs the best accuracy and no filter`() {
        #expect(DeferralEnd.refusal(of: LocationSettings(accuracy: .best)) == nil)
        #expect(DeferralEnd.refusal(of: LocationSettings(accuracy: .bestForNavigation)) == nil)
        #expect(DeferralEnd.refusal(of: LocationSettings(accuracy: .metres(10))) == .accuracyTooLow)
        #expect(DeferralEnd.refusal(of: LocationSettings(accuracy: .best, distanceFilter: 10)) == .distanceFiltered)
    }

    @Test func `errors have Core Location's numbers, and reaching a bound is not an error`() {
        #expect(DeferralEnd.allCases.map(\.errorCode?.rawValue) == [nil, nil, nil, 11, 12, 13, 14, 15])
    }
}

@Suite("Local session")
struct LocalSessionTests {
    private func wait(_ id: String, until deadline: MonotonicInstant, accuracy: Double?) -> LocationWait {
        LocationWait(.next(accuracy: accuracy), until: deadline, id: id)
    }

    @Test func `a requested location waits for its accuracy, and keeps the best so far`() {
        var session = LocalSession()
        let isTaken = session.wait(for: wait("fine", until: at(10), accuracy: 10))
        #expect(isTaken)
        _ = session.wait(for: wait("any", until: at(10), accuracy: nil))
        let first = session.takeAnswered(by: fix(0, accuracy: 50), at: at(1))
        #expect(first.map(\.id) == ["any"])
        let second = session.takeAnswered(by: fix(0, accuracy: 80), at: at(2))
        #expect(second.isEmpty)
        #expect(session.waits.first?.best?.fix.horizontalAccuracy == 50)
        #expect(session.waits.first?.best?.instant == at(1))
        let third = session.takeAnswered(by: fix(0, accuracy: nil), at: at(3))
        #expect(third.isEmpty, "unknown is not good enough")
        let last = session.takeAnswered(by: fix(0, accuracy: 10), at: at(4))
        #expect(last.map(\.id) == ["fine"])
        #expect(session.waits.isEmpty)
    }

    @Test func `a client's requests are those it watches and those it waits for`() {
        var session = LocalSession(userID: 7)
        session.grant = .full
        session.epochs = EpochWatch(hasSatellites: false)
        var location = LocationSession(
            LocationSettings(accuracy: .metres(100)),
            key: DeferredKey(userID: 7, client: "tracker", label: "", session: 0), at: at(0))
        location.grant = .full
        session.locations = [location]
        _ = session.wait(for: wait("x", until: at(30), accuracy: 20))
        var requests: [AccuracyRequest] = []
        session.appendRequests(of: ClientID(rawValue: 3), to: &requests)
        #expect(
            requests == [
                AccuracyRequest(client: 3, .everyEpoch),
                AccuracyRequest(client: 3, .standard(LocationSettings(accuracy: .metres(100)))),
                AccuracyRequest(client: 3, .singleLocation(.metres(20), deadline: at(30))),
            ])
    }
}

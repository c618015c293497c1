import ClientVocabulary
import PartsTestSupport
import Testing

@testable import Access

private typealias Scene = AuthorizationScene

@Suite("Authorization record")
struct AuthorizationRecordTests {
    private func bytes(_ record: AuthorizationRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        record.encode { bytes.append($0) }
        return bytes
    }

    private func decode(_ bytes: [UInt8]) -> AuthorizationRecord? { AuthorizationRecord.decode(bytes.span) }

    private var provisional: AuthorizationRecord {
        var record = AuthorizationRecord()
        record.status = .authorizedAlways
        record.accuracy = .reduced
        record.isProvisional = true
        record.isWhenInUseAnswered = true
        record.mayBeWoken = false
        return record
    }

    @Test func `a record is version 1 and four bytes with the documented bits`() {
        #expect(bytes(AuthorizationRecord()) == [1, 0, 2, 16])
        #expect(bytes(provisional) == [1, 3, 1, 1 | 4])
        #expect(AuthorizationRecord.byteCount == 4)
    }

    @Test func `every valid record of four bytes reads and is written back unchanged`() {
        var count = 0
        for status in UInt8(0)...6 {
            for accuracy in UInt8(0)...4 {
                for bits in UInt8.min...UInt8.max {
                    guard let record = decode([1, status, accuracy, bits]) else { continue }
                    count += 1
                    #expect(bytes(record) == [1, status, accuracy, bits])
                    #expect(record.status != .restricted && !(record.isOnce && record.isProvisional))
                }
            }
        }
        // 3 accuracies, 8 of the other three bits; each of Always and when in use has one more bit of its own.
        #expect(count == 3 * 8 * (1 + 1 + 2 + 2))
    }

    @Test func `another length or version is refused`() {
        let encoded = bytes(provisional)
        for length in 0..<encoded.count { #expect(decode(Array(encoded[..<length])) == nil) }
        #expect(decode(encoded + [0]) == nil)
        #expect(decode([2] + encoded[1...]) == nil)
    }

    @Test func `a stored decision is the client's status after a restart, and is not stored again`() {
        var scene = Scene()
        scene.do(.restored(client: "tracker", provisional))
        #expect(scene.effects == [Scene.changed])
        #expect(scene.status == .authorizedAlways && scene.rights.accuracy == .reduced)
        #expect(!scene.rights.mayBeWoken)
    }

    @Test func `a stored record does not make a disconnected client in use`() {
        var scene = Scene()
        scene.leave(at: 0)
        scene.do(.restored(client: "tracker", provisional), at: 5)
        #expect(!scene.rights.isInUse && scene.book.deadline == nil)
    }

    @Test func `a record without a manifest is deleted`() {
        var scene = Scene()
        scene.do(.restored(client: "gone", provisional))
        #expect(scene.effects == [.keep(client: "gone", nil)])
    }

    @Test func `allow once survives a restart for the grace period, or longer if the client returns`() {
        var once = AuthorizationRecord()
        once.status = .authorizedWhenInUse
        once.isOnce = true
        var book = AuthorizationBook()
        var effects: [AuthorizationEffect] = []
        book.handle(.manifests(Scene.manifests()), at: at(0), into: &effects)
        book.handle(.restored(client: "tracker", once), at: at(1), into: &effects)
        #expect(book.deadline == at(6))
        var back = book
        back.handle(.connected(Scene.one, client: "tracker"), at: at(3), into: &effects)
        back.handle(.timePassed, at: at(100), into: &effects)
        #expect(back.rights(of: "tracker").status == .authorizedWhenInUse)
        book.handle(.timePassed, at: at(6), into: &effects)
        #expect(book.rights(of: "tracker").status == .notDetermined)
        var scene = Scene()
        scene.do(.restored(client: "tracker", once), at: 1)
        #expect(scene.book.deadline == nil, "it was back before")
    }

    @Test func `allow once survives a restart also for a client that returns in the background`() {
        var once = AuthorizationRecord()
        once.status = .authorizedWhenInUse
        once.isOnce = true
        var book = AuthorizationBook()
        var effects: [AuthorizationEffect] = []
        book.handle(.manifests(Scene.manifests()), at: at(0), into: &effects)
        book.handle(.restored(client: "tracker", once), at: at(1), into: &effects)
        book.handle(.connected(Scene.one, client: "tracker"), at: at(3), into: &effects)
        book.handle(.beganInBackground(Scene.one), at: at(3), into: &effects)
        #expect(book.rights(of: "tracker").isInUse && book.deadline == at(6))
        var tracking = book
        tracking.handle(.usesBackground(Scene.one, true), at: at(4), into: &effects)
        tracking.handle(.timePassed, at: at(100), into: &effects)
        #expect(tracking.rights(of: "tracker").status == .authorizedWhenInUse)
        book.handle(.timePassed, at: at(6), into: &effects)
        #expect(book.rights(of: "tracker").status == .notDetermined)
    }
}

import Foundation
import Receivers
import Testing

@testable import Tracker

@Suite("What was learned about the receiver")
struct LearnedFileTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `it is kept for its model at its device alone`() {
        let file = LearnedFile(directory: folder.path, model: .neoM8N, device: "/dev/serial0")
        #expect(file.load() == nil)
        #expect(file.save([1, 2, 0x0A, 0].span) == nil && file.save([3, 0x0A, 4].span) == nil)
        #expect(file.load() == [3, 0x0A, 4])
        #expect(LearnedFile(directory: folder.path, model: .neo6M, device: "/dev/serial0").load() == nil)
        #expect(LearnedFile(directory: folder.path, model: .neoM8N, device: "/dev/serial1").load() == nil)
    }

    @Test func `nothing learned is not nothing kept`() {
        let file = LearnedFile(directory: folder.path, model: .neoM8N, device: "/dev/serial0")
        #expect(file.save([UInt8]().span) == nil)
        #expect(file.load() == [])
    }

    @Test func `what cannot be kept says why, and without a directory nothing is kept`() {
        let failure = LearnedFile(directory: "/none/such", model: .neoM8N, device: "/dev/serial0").save([1].span)
        #expect(failure == "/none/such/learned: No such file or directory; create its directory first")
        #expect(LearnedFile(directory: nil, model: .neoM8N, device: "/dev/serial0").save([1].span) == nil)
    }
}

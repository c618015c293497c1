import Foundation
import Programs
import TestSupport
import Testing

@Suite("Files for programs of other users")
struct GuardedFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "guarded-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func `a file is replaced as a whole, and nothing else is left in its folder`() throws {
        try withFolder { folder in
            for text in ["first", "second"] { try GuardedFile.write(text, to: "\(folder)/status") }
            #expect(try GuardedFile.read("\(folder)/status") == Array("second".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["status"])
        }
    }

    /// A file system of huge pages lets files be created, and refuses every write to one.
    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"), arguments: [true, false])
    func `a failed write is told by the kernel's own error, and leaves the old file and nothing else`(
        isFull: Bool
    ) throws {
        try withFolder { folder in
            let disk = try #require(
                isFull
                    ? SmallDisk("\(folder)/disk", bytes: 65_536)
                    : SmallDisk("\(folder)/disk", bytes: 65_536, kind: "hugetlbfs"))
            // Everybody may write to a file system's own folder.
            let own = "\(disk.folder)/own"
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
            if isFull {
                try GuardedFile.write("before", to: "\(own)/status")
                disk.fill()
            }
            let error = #expect(throws: GuardedFileError.self) {
                try GuardedFile.write("after", to: "\(own)/status")
            }
            let text = isFull ? "No space left on device" : "Invalid argument"
            #expect(error?.description == "\(own)/status.new: write: \(text)")
            #expect(try GuardedFile.read("\(own)/status") == (isFull ? Array("before".utf8) : nil))
            #expect(!FileManager.default.fileExists(atPath: "\(own)/status.new"))
        }
    }
}

import Foundation
import Glibc
import Store
import Testing

@Suite("Atomic file")
struct AtomicFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func replace(_ path: String, _ text: String, _ durability: AtomicFile.Durability = .onCard)
        throws(StoreError)
    {
        try AtomicFile.replace(path, with: Array(text.utf8).span, durability)
    }

    @Test(arguments: [AtomicFile.Durability.onCard, .eventually])
    func `a file is begun, replaced and read, and only its owner may`(durability: AtomicFile.Durability) throws {
        try replace(scratch.path("f"), "old and longer", durability)
        try replace(scratch.path("f"), "new", durability)
        #expect(try AtomicFile.read(scratch.path("f"), upTo: 100) == Array("new".utf8))
        #expect(try AtomicFile.read(scratch.path("f"), upTo: 2) == Array("ne".utf8))
        #expect(try scratch.mode("f") == 0o600 && scratch.names == ["f"])
    }

    @Test func `no file is nothing, and an empty one is empty`() throws {
        #expect(try AtomicFile.read(scratch.path("f"), upTo: 100) == nil)
        try replace(scratch.path("f"), "")
        #expect(try AtomicFile.read(scratch.path("f"), upTo: 100) == [])
    }

    @Test func `what a crash left behind is no hindrance, and no link is followed`() throws {
        try scratch.write([1, 2, 3], to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("f.new"), withDestinationPath: scratch.path("victim"))
        try replace(scratch.path("f"), "new")
        #expect(try scratch.bytes("victim") == [1, 2, 3] && scratch.names == ["f", "victim"])
    }

    @Test func `without its directory, the error names file and mend`() throws {
        let path = scratch.path("none/f")
        let error = #expect(throws: StoreError.self) { try replace(path, "new") }
        #expect(error?.kind == .noDirectory)
        #expect(error?.description == "\(path): No such file or directory; create its directory first")
    }

    @Test func `where nobody may write, the error says so`() throws {
        let error = #expect(throws: StoreError.self) { try replace("/sys/sextant", "new") }
        #expect(error?.kind == .notWritable)
        #expect(error?.description.contains("let the user who runs sextantd write") == true)
    }

    @Test func `where the name is a directory's, the old stands and nothing is left behind`() throws {
        try FileManager.default.createDirectory(atPath: scratch.path("f"), withIntermediateDirectories: false)
        #expect(throws: StoreError.self) { try replace(scratch.path("f"), "new") }
        #expect(scratch.names == ["f"])
    }

    @Test func `a relative path's directory is the current one`() {
        let error = #expect(throws: StoreError.self) { try replace("none-such-directory/f", "new") }
        #expect(error?.kind == .noDirectory)
    }
}

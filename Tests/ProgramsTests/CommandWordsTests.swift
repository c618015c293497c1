import Programs
import Testing

@Suite("Words of a command line")
struct CommandWordsTests {
    @Test func `options come with their values, and what is wrong is named`() throws {
        var words = CommandWords(["--check", "--config", "--odd", "--socket"])
        #expect(words.next() == "--check")
        #expect(words.unknown.text == "unknown option --check")
        #expect(words.next() == "--config")
        #expect(try words.value() == "--odd", "a value may look like an option")
        #expect(words.next() == "--socket")
        let mistake = #expect(throws: CommandWords.Mistake.self) { try words.value() }
        #expect(mistake?.text == "--socket wants a value")
        #expect(words.next() == nil)
    }
}

import Programs
import Testing

@Suite("Texts that somebody else has chosen") struct PrintableTextTests {
    @Test(arguments: [
        ("\u{1B}[2Jx\u{7}", "?[2Jx?"), ("a\r\nb\tc\u{0}", "a??b?c?"), ("\u{9B}31m\u{7F}", "?31m?"),
        ("\u{202E}gpj.x\u{2028}\u{2066}", "?gpj.x??"), ("Zürich 東京 – é👩‍🚀", "Zürich 東京 – é👩‍🚀"),
    ])
    func `a terminal obeys nothing of them`(text: String, printed: String) {
        #expect(text.printable == printed)
    }
}

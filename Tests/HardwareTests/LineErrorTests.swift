import Hardware
import Testing

@Suite("LineError")
struct LineErrorTests {
    @Test(arguments: [
        (
            LineError(.notFound(nearest: ["GPIO17", "GPIO18"]), line: "GPOI17"),
            "GPOI17: no such line; did you mean GPIO17, GPIO18?"
        ),
        (
            LineError(.notFound(nearest: []), line: "GPIO17", cause: "there is no GPIO chip in /dev"),
            "GPIO17: no such line; there is no GPIO chip in /dev"
        ),
        (LineError(.notFound(nearest: []), line: "EN"), "EN: no such line; sudo gpioinfo lists those there are"),
        (
            LineError(.ambiguous(places: ["cp2112_gpio:2", "pinctrl:4"]), line: "EN"),
            "EN: several chips have a line of this name; choose one of cp2112_gpio:2, pinctrl:4"
        ),
        (
            LineError(.busy(consumer: "pigpiod"), line: "GPIO17"),
            "GPIO17 is held by \"pigpiod\"; stop it, or give the board another line"
        ),
        (
            LineError(.busy(consumer: nil), line: "GPIO17"),
            "GPIO17 is held by another program or the kernel; stop it, or give the board another line"
        ),
        (
            LineError(.permissionDenied, line: "GPIO17"),
            "GPIO17: permission denied; run as a member of the chip's group"
        ),
        (
            LineError(.lost, line: "cp2112_gpio:2", errno: 19),
            "cp2112_gpio:2: its chip is gone; check its plug and its wiring"
        ),
        (LineError(.other, line: "GPIO17", errno: 5), "GPIO17: error 5"),
        (LineError(.other, line: "GPIO17", errno: 5, cause: "Input/output error"), "GPIO17: Input/output error"),
    ])
    func `the message names the line, the problem and the remedy in one sentence`(error: LineError, text: String) {
        #expect(error.description == text)
    }

    @Test func `errors are equal if their line and kind are`() {
        #expect(LineError(.lost, line: "A", errno: 19) == LineError(.lost, line: "A", errno: 6, cause: "gone"))
        #expect(LineError(.lost, line: "A") != LineError(.lost, line: "B"))
        #expect(LineError(.lost, line: "A") != LineError(.busy(consumer: nil), line: "A"))
    }
}

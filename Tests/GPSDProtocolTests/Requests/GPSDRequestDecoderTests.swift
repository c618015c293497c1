import GPSDProtocol
import Testing

@Suite("gpsd requests")
struct GPSDRequestDecoderTests {
    private func decode(_ text: String) -> Result<GPSDRequest, GPSDRequestError> {
        GPSDRequestDecoder.decode(Array(text.utf8))
    }

    @Test(arguments: [
        ("?VERSION", GPSDRequest.version), ("?DEVICES", .devices), ("?POLL", .poll), ("?WATCH", .watch(nil)),
        ("?DEVICE={\"path\":\"/dev/x\"}", .device), ("  ?POLL \r", .poll), ("", .nothing), ("\r", .nothing),
    ])
    func `a command is read with or without white space`(text: String, request: GPSDRequest) {
        #expect(decode(text) == .success(request))
    }

    @Test func `the WATCH of cgps and gpspipe is read`() {
        var policy = GPSDPolicy()
        policy.enable = true
        policy.json = true
        #expect(decode("?WATCH={\"enable\":true,\"json\":true}") == .success(.watch(policy)))
    }

    @Test func `the WATCH of gpsmon, without enable, is read`() {
        var policy = GPSDPolicy()
        policy.raw = 2
        policy.pps = true
        #expect(decode("?WATCH={\"raw\":2,\"pps\":true}") == .success(.watch(policy)))
    }

    @Test(arguments: ["?FOO", "WATCH", "?WATCH={", "?WATCH={\"enable\":}", "?WATCH=[1]", "?VERSION={}", "\u{0}\u{1}x"])
    func `an unknown request is refused and quoted in at most 64 characters`(text: String) {
        guard case .failure(.unrecognized(let shown)) = decode(text) else {
            Issue.record("accepted: \(text)")
            return
        }
        #expect(shown.count <= 64)
    }

    @Test func `a value of the wrong type is refused with its key`() {
        #expect(decode("?WATCH={\"raw\":3}") == .failure(.badValue(key: "raw", expected: "0, 1 or 2")))
        #expect(decode("?WATCH={\"json\":1}") == .failure(.badValue(key: "json", expected: "true or false")))
    }
}

import ClientProtocol
import LocalSocket
import Testing

@Suite("Client request decoder")
struct ClientRequestDecoderTests {
    private func decode(_ line: String) -> Result<ClientRequest, RefusedRequest> {
        ClientRequestDecoder.decode(Array(line.utf8))
    }

    @Test func `energy has no member but its id`() {
        #expect(decode(#"{"request":"energy"}"#) == .success(ClientRequest(.energy)))
        #expect(decode(#"{"request":"energy","id":"e"}"#) == .success(ClientRequest(.energy, id: "e")))
        #expect(
            decode(#"{"request":"energy","id":"e","window":"lastDay"}"#)
                == .failure(RefusedRequest(.unknownKey("window"), id: "e")))
    }

    @Test func `a request that is none is told which there are`() {
        guard case .failure(let refused) = decode(#"{"request":"power"}"#) else {
            Issue.record("it was taken for one")
            return
        }
        #expect(refused.problem.message == "\"power\" is no request; use watch, unwatch, locate, status or energy")
    }
}

internal import CMicroHTTPD

/// One HTTP request and its answer.
///
/// A class, because the server shares it with the code that answers later; once the exchange has ended, answers are
/// ignored.
@safe final class Exchange {
    private var pointer: OpaquePointer?
    private var ended: () -> Void = {}
    private var isAnswered = false
    /// Returns a stream's next bytes, at most the given number; empty if there are none yet, nil at the stream's end.
    private(set) var more: (Int) -> ArraySlice<UInt8>? = { _ in nil }

    /// Called when there is something to send, because the HTTP server does not notice that by itself.
    private let woken: () -> Void

    init(_ pointer: OpaquePointer, woken: @escaping () -> Void) {
        unsafe self.pointer = pointer
        self.woken = woken
    }

    /// Whether the viewer is still connected.
    var isOpen: Bool { unsafe pointer != nil }

    // MARK: The request

    var request: PageRequest {
        var request = PageRequest(
            method: unsafe text(cmhd_method), path: unsafe text(cmhd_path), host: header("Host"))
        request.origin = header("Origin")
        request.contentType = header("Content-Type")
        request.cookie = header("Cookie")
        request.fetchSite = header("Sec-Fetch-Site")
        request.authorization = header("Authorization")
        guard let pointer = unsafe pointer else { return request }
        request.headSize = unsafe cmhd_head_size(pointer)
        request.isTooLong = unsafe cmhd_is_too_long(pointer)
        let deciding: [String] = ["Host", "Origin", "Cookie", "Authorization"]
        request.isAmbiguous = deciding.contains { unsafe cmhd_header_count(pointer, $0) > 1 }
        return request
    }

    private func text(_ member: (OpaquePointer?) -> UnsafePointer<CChar>?) -> String {
        // Safety: the text lives as long as the exchange, and is copied.
        unsafe pointer.flatMap { unsafe member($0) }.map { unsafe String(cString: $0) } ?? ""
    }

    func header(_ name: String) -> String? {
        // Safety: as in `text`.
        unsafe pointer.flatMap { unsafe cmhd_header($0, name) }.map { unsafe String(cString: $0) }
    }

    func query(_ name: String) -> String? {
        // Safety: as in `text`.
        unsafe pointer.flatMap { unsafe cmhd_query($0, name) }.map { unsafe String(cString: $0) }
    }

    var body: [UInt8] {
        guard let pointer = unsafe pointer else { return [] }
        var count = 0
        guard let bytes = unsafe cmhd_body(pointer, &count) else { return [] }
        // Safety: the body has `count` bytes, and lives as long as the exchange.
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    // MARK: The answer

    /// Sends the answer to the request; if it is called again, it has no effect.
    func answer(_ status: UInt32, _ bytes: [UInt8], type: String, headers: [(String, String)] = []) {
        guard begin(type, headers), let pointer = unsafe pointer else { return }
        _ = unsafe cmhd_answer(pointer, status, bytes, bytes.count)
        woken()
    }

    /// Answers with the sentence that says why the request is refused, as JSON.
    func refuse(_ refusal: Refusal) {
        answer(
            refusal.status, PageText.object(["error": refusal.sentence]), type: PageText.json, headers: PageText.noStore
        )
    }

    /// Answers with a stream of events, whose bytes the closure `more` returns.
    ///
    /// - Parameter ended: Called when the viewer has gone.
    func stream(more: @escaping (Int) -> ArraySlice<UInt8>?, ended: @escaping () -> Void) {
        self.more = more
        self.ended = ended
        guard begin("text/event-stream", PageText.noStore), let pointer = unsafe pointer else { return }
        _ = unsafe cmhd_stream(pointer)
    }

    /// Makes the HTTP server ask once more for the bytes of a stream that had none before.
    func wake() {
        guard let pointer = unsafe pointer else { return }
        unsafe cmhd_wake(pointer)
        woken()
    }

    private func begin(_ type: String, _ headers: [(String, String)]) -> Bool {
        guard let pointer = unsafe pointer, !isAnswered else { return false }
        isAnswered = true
        for (name, value) in PageGate.headers + headers + [("Content-Type", type)] {
            _ = unsafe cmhd_add_header(pointer, name, value)
        }
        return true
    }

    func end() {
        unsafe pointer = nil
        let ended = ended
        (self.ended, more) = ({}, { _ in nil })
        ended()
    }
}

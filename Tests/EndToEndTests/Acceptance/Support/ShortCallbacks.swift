import Foundation

extension Client {
    /// What it was called back with since it was asked last, in short, without what says how it is authorized.
    ///
    /// `pause`, `resume`, `finish`, `finish 12` (the error's code), `fail 0`, and `locations 3 4`: one array, the seconds
    /// from the bench's first start to each fix.
    func takeShort() -> [String] { take().compactMap(\.shortCallback) }
}

extension [String] {
    /// How many fixes short callbacks tell: a client that is behind is told several in one array.
    var fixCount: Int {
        filter { $0.hasPrefix("locations ") }.reduce(0) { $0 + $1.split(separator: " ").count - 1 }
    }
}

extension JSON {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Of a report of locations, seconds from the bench's first start to each.
    fileprivate var times: [Int]? {
        guard text("callback") == "didUpdateLocations" else { return nil }
        return objects("locations")?.compactMap { location in
            guard let date = location.text("timestamp").flatMap({ try? Self.style.parse($0) }) else { return nil }
            return Int((date.timeIntervalSince1970 - VirtualBench.startTime).rounded())
        }
    }

    fileprivate var shortCallback: String? {
        let code = number("errorCode").map { " \(Int($0))" } ?? ""
        switch text("callback") {
        case "didUpdateLocations": return (["locations"] + (times ?? []).map { "\($0)" }).joined(separator: " ")
        case "didPauseLocationUpdates": return "pause"
        case "didResumeLocationUpdates": return "resume"
        case "didFinishDeferredUpdates": return "finish" + code
        case "didFailWithError": return "fail" + code
        case "didChangeAuthorization": return nil
        case let other: return other
        }
    }
}

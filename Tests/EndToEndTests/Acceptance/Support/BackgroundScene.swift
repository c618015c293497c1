import BenchControl
import Emulation
import Foundation
import Receivers
import SextantUnits

extension BoardText {
    /// A receiver whose supply has a switch, and a light.
    static var withIndicator: BoardText {
        BoardText(outputs: [("powerEnable", false), ("indicator", false)])
    }
}

extension CoreLocationBench {
    /// Whether the indicator is on.
    var isLit: Bool { levels(of: .indicator).last?.level ?? false }

    /// Whether the indicator was ever on.
    var wasLit: Bool { levels(of: .indicator).contains(where: \.level) }

    /// Whether the receiver has its supply.
    var isPowered: Bool { levels(of: .powerEnable).last?.level ?? false }
}

extension CoreLocationBench where Device == Emulation.EmulatedReceiver {
    /// Starts it with a receiver that has a sky, at rest in Zurich, with a switch and an indicator.
    static func startBoard(_ client: BenchClient) async throws -> CoreLocationBench {
        try await start(VirtualBench.receiver(.neoM8N), clients: [client], board: .withIndicator)
    }
}

/// An instant as callbacks tell it; seconds since 1970.
func callbackTime(_ seconds: Double) -> String {
    Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
}

extension Client {
    /// How many of its callbacks since the last look were reports of locations.
    func takeReportCount() -> Int { takeNames().count { $0 == "didUpdateLocations" } }

    /// The locations of live updates since the last look.
    func takeLiveLocations() -> [JSON] { take().compactMap { $0.object("location") } }
}

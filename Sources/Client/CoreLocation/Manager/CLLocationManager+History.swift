internal import Foundation

extension CLLocationManager {
    func askHistory(_ count: Int, _ completion: @escaping @Sendable ([CLLocation], (any Error)?) -> Void) {
        let core = core
        let asked = count > 0 ? client.update { state in (state.askHistory(core, count: count), []) } : nil
        let name = asked ?? "refused \(UUID())"
        historyCompletions[name] = completion
        if asked == nil { core.receive(.history([], of: name, .historicalLocationError)) }
    }

    func refuseLocationPushes(_ completion: ((Data?, (any Error)?) -> Void)?) {
        guard let completion else { return }
        let name = "pushes \(UUID())"
        completions[name] = { error in completion(nil, error) }
        core.receive(.locationPushesRefused(of: name))
    }
}

internal import Boards
internal import Configuration
internal import HostSleep
internal import HostSwitches

extension HostSleepConfiguration {
    /// What the owner allows, with what the board's file says of the host and its switch; nil where he says nothing.
    init?(_ settings: TrackerSettings) {
        guard let allowed = settings.hostSleep else { return nil }
        // A switch that wants a pulse on a line before it cuts gets none yet, and would leave the board halted and on.
        let found = settings.board?.hostSwitch.flatMap { $0.model.traits.cutTrigger == .pulse ? nil : $0 }
        let costs = settings.board?.hostCosts
        let breakEven = found.flatMap { found in
            costs?.breakEven(
                cutDelay: Double(found.model.traits.cutDelay),
                offMilliwatts: found.model.offMilliwatts * HostCosts.converterEfficiency)
        }
        self.init(
            allowed, traits: found?.model.traits, hasMotionWake: found?.motionWake ?? false, breakEven: breakEven)
    }
}

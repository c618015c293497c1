internal import Boards
internal import Configuration
internal import HostSleep
internal import HostSwitches

extension HostSleepConfiguration {
    /// The owner's settings for the sleep of the host, with the board file's data about host and switch; nil if the
    /// owner has set nothing.
    init?(_ settings: TrackerSettings) {
        guard let allowed = settings.hostSleep else { return nil }
        let found = settings.board?.hostSwitch
        let costs = settings.board?.hostCosts
        let sleep = found.flatMap { found in
            costs.map { costs in
                HostSleepCosts(
                    costs, offMilliwatts: found.model.offMilliwatts * HostCosts.converterEfficiency,
                    areMeasured: settings.board?.measuredHostCosts != nil)
            }
        }
        let breakEven = sleep.flatMap { sleep in
            sleep.host.breakEven(
                cutDelay: Double(found?.model.traits.cutDelay ?? 0), offMilliwatts: sleep.offMilliwatts)
        }
        self.init(
            allowed, traits: found?.model.traits, hasMotionWake: found?.motionWake ?? false, breakEven: breakEven)
        self.costs = sleep
    }
}

internal import Boards
internal import Configuration
internal import HostSleep

extension HostSleepConfiguration {
    /// What the owner allows, with what the board's file says of the host and its switch; nil where he says nothing.
    init?(_ settings: TrackerSettings) {
        guard let allowed = settings.hostSleep else { return nil }
        self.init(allowed, traits: nil, hasMotionWake: false, breakEven: nil)
    }
}

internal import Beacons
internal import Boards
internal import ClientProtocol
internal import Configuration
internal import Engine
internal import Glibc
internal import HostSleep
internal import SextantUnits

extension EngineConfiguration {
    /// The configuration of the Engine (the daemon's logic) from the settings and the store, with the statistics
    /// learned in earlier runs.
    ///
    /// - Parameter now: The time of the host's clock; a time before the program's build date is replaced by that date.
    init(_ settings: TrackerSettings, _ store: StateStore, _ source: LocationObject.Source, now: UTCInstant) {
        self.init(
            device: settings.device, fixedBaud: settings.baud,
            lastBaud: store.learned(.rate(device: settings.device)).flatMap { LearnedRate.decode($0) },
            now: settings.date.map { UTCInstant(date: $0, timeOfDay: 0) } ?? max(now, BuildDate.instant),
            power: settings.board.map {
                let learned = store.learned(.receiver($0.receiver.model, device: settings.device))
                return PowerConfiguration(
                    $0, baud: settings.baud, longestUnwatchedRest: settings.longestUnwatchedRest, learned: learned)
            })
        hasCompass = settings.board?.sensors?.magnetometer != nil
        watchesMotion = settings.board?.sensors?.motion != nil
        radio = settings.board?.bluetooth ?? radio
        radio.rangingDuty = radio.rangingDuty ?? settings.board?.hostModel.map { _ in HostModel.rangingDuty }
        board = settings.board?.name ?? ""
        spots = settings.spots
        hostSleep = HostSleepConfiguration(settings)
        userID = geteuid()
        self.source = source
    }
}

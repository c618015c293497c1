internal import HostHelper
internal import HostSleep

/// Opens the host switch of a request: the one place where drivers are plugged in.
enum SwitchDoor {
    static func open(_ place: HostSwitchPlace) throws(HostSwitchProblem) -> any SupplySwitch {
        throw HostSwitchProblem(
            "the host switch \(place.model): this version has no driver for it; remove hostSwitch from the board's file"
        )
    }
}

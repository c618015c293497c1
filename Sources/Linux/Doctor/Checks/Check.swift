/// One kind of fault that the doctor looks for; the raw value is the check's name in all output.
public enum Check: String, Sendable, CaseIterable {
    case configuration
    case boardHost = "board-host"
    case bootFile = "boot-file"
    case overlayFile = "overlay-file"

    case uart
    case bluetooth
    case miniUART = "mini-uart"
    case serialConsole = "serial-console"
    case serialLogin = "serial-login"
    case device
    case devicePermission = "device-permission"
    case deviceHolder = "device-holder"
    case gpsd
    case modemManager = "modem-manager"

    case i2c
    case i2cModule = "i2c-module"
    case i2cBus = "i2c-bus"
    case i2cPermission = "i2c-permission"
    case i2cDriver = "i2c-driver"
    case sensor

    case gpioChip = "gpio-chip"
    case gpioPermission = "gpio-permission"
    case gpioLine = "gpio-line"
    case gpioHolder = "gpio-holder"
    case lineOverlay = "line-overlay"
    case pulse

    case beaconKernel = "beacon-kernel"
    case beaconController = "beacon-controller"
    case beaconBlock = "beacon-block"
    case beaconSocket = "beacon-socket"

    case staysOn = "stays-on"
    case secondMaster = "second-master"
    case switchDriver = "switch-driver"
    case rebootWatchdog = "reboot-watchdog"
    case bootLoader = "boot-loader"
    case hostSleep = "host-sleep"

    case service
    case user
    case udevRules = "udev-rules"
    case daemons
    case store
    case storeVersion = "store-version"
    case storage
    case clientFiles = "client-files"
    case clock
    case time
    case supply
    case places
    case uplink
    case services

    /// What the check examines, in words.
    public var subject: String {
        switch self {
        case .configuration: "the configuration, its board and its clients"
        case .boardHost: "whether the board's file is for this hardware"
        case .bootFile: "which config.txt is read"
        case .overlayFile: "the names of overlays"
        case .uart: "whether the UART is on"
        case .bluetooth: "whether Bluetooth has the UART"
        case .miniUART: "which UART it is"
        case .serialConsole: "the kernel's console"
        case .serialLogin: "login prompts"
        case .device: "the receiver's device"
        case .devicePermission: "whether the daemon may open the device"
        case .deviceHolder: "who else has the device open"
        case .gpsd: "gpsd"
        case .modemManager: "ModemManager"
        case .i2c: "whether I2C is on"
        case .i2cModule: "the module i2c-dev"
        case .i2cBus: "the sensors' bus"
        case .i2cPermission: "whether the daemon may open the bus"
        case .i2cDriver: "drivers of the kernel's at the sensors' addresses"
        case .sensor: "the sensors"
        case .gpioChip: "the GPIO chips"
        case .gpioPermission: "whether the daemon may open a GPIO chip"
        case .gpioLine: "the names of the board's lines"
        case .gpioHolder: "who holds the board's lines"
        case .lineOverlay: "overlays on the board's lines"
        case .pulse: "the pulse a second"
        case .beaconKernel: "whether the kernel can listen for beacons"
        case .beaconController: "the Bluetooth controller"
        case .beaconBlock: "whether rfkill keeps Bluetooth off"
        case .beaconSocket: "how the daemon is given its Bluetooth socket"
        case .staysOn: "what of the system keeps the board on now"
        case .secondMaster: "who else works on the board's switch"
        case .switchDriver: "drivers of the kernel's at the switch's addresses"
        case .rebootWatchdog: "when a shutdown that hangs is ended"
        case .bootLoader: "whether the boot loader cuts the supply"
        case .hostSleep: "what the daemon says of the board's sleep"
        case .service: "the daemon's unit"
        case .user: "the daemon's user"
        case .udevRules: "the rules for devices"
        case .daemons: "how many daemons run"
        case .store: "the state directory"
        case .storeVersion: "the store's version"
        case .storage: "room on the card"
        case .clientFiles: "who may write the clients' files"
        case .clock: "the clock"
        case .time: "whether chrony takes the receiver's time"
        case .supply: "the supply's voltage"
        case .places: "the tables of places"
        case .uplink: "whether the uplink may reach its broker"
        case .services: "the configurations of the page, the geocoder and the uplink"
        }
    }

    /// Whether the daemon also makes this check at its start and logs the finding, because it would not notice the
    /// fault itself.
    public var isSaidAtStart: Bool {
        switch self {
        case .boardHost, .overlayFile, .uart, .bluetooth, .serialConsole, .serialLogin, .i2c, .i2cModule,
            .lineOverlay, .user:
            true
        default: false
        }
    }

    func examine(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        switch self {
        case .configuration: try InstallationChecks.configuration(facts)
        case .boardHost: try InstallationChecks.boardHost(facts)
        case .bootFile: try InstallationChecks.bootFile(facts)
        case .overlayFile: try InstallationChecks.overlayFile(facts)
        case .uart: try SerialChecks.uart(facts)
        case .bluetooth: try SerialChecks.bluetooth(facts)
        case .miniUART: try SerialChecks.miniUART(facts)
        case .serialConsole: try SerialChecks.console(facts)
        case .serialLogin: try SerialChecks.login(facts)
        case .device: try DeviceChecks.device(facts)
        case .devicePermission: try DeviceChecks.permission(facts)
        case .deviceHolder: try DeviceChecks.holder(facts)
        case .gpsd: try DeviceChecks.gpsd(facts)
        case .modemManager: try DeviceChecks.modemManager(facts)
        case .i2c: try SensorChecks.isOn(facts)
        case .i2cModule: try SensorChecks.module(facts)
        case .i2cBus: try SensorChecks.bus(facts)
        case .i2cPermission: try SensorChecks.permission(facts)
        case .i2cDriver: try SensorChecks.driver(facts)
        case .sensor: try SensorChecks.sensors(facts)
        case .gpioChip: try LineChecks.chip(facts)
        case .gpioPermission: try LineChecks.permission(facts)
        case .gpioLine: try LineChecks.names(facts)
        case .gpioHolder: try LineChecks.holders(facts)
        case .lineOverlay: try LineChecks.overlays(facts)
        case .pulse: try LineChecks.pulse(facts)
        case .beaconKernel: try BeaconChecks.kernel(facts)
        case .beaconController: try BeaconChecks.controller(facts)
        case .beaconBlock: try BeaconChecks.block(facts)
        case .beaconSocket: try BeaconChecks.socket(facts)
        case .staysOn: try HostSleepChecks.staysOn(facts)
        case .secondMaster: try HostSleepChecks.secondMaster(facts)
        case .switchDriver: try HostSleepChecks.driver(facts)
        case .rebootWatchdog: try HostSleepChecks.watchdog(facts)
        case .bootLoader: try HostSleepChecks.bootLoader(facts)
        case .hostSleep: try HostSleepChecks.told(facts)
        case .service: try ServiceChecks.service(facts)
        case .user: try ServiceChecks.user(facts)
        case .udevRules: try ServiceChecks.udevRules(facts)
        case .daemons: try ServiceChecks.daemons(facts)
        case .store: try StoreChecks.folder(facts)
        case .storeVersion: try StoreChecks.version(facts)
        case .storage: try StoreChecks.room(facts)
        case .clientFiles: try StoreChecks.clientFiles(facts)
        case .clock: try ServiceChecks.clock(facts)
        case .time: try TimeChecks.chrony(facts)
        case .supply: try ServiceChecks.supply(facts)
        case .places: try PlaceChecks.tables(facts)
        case .uplink: try ServiceChecks.uplink(facts)
        case .services: try ServiceChecks.services(facts)
        }
    }
}

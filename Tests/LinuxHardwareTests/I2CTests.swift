import Foundation
import Hardware
import Testing

@testable import LinuxHardware

@Suite("I2C adapters")
struct I2CAdapterTests {
    private static let one = I2CAdapterNode(path: "/dev/i2c-1", name: "bcm2835 (i2c@7e804000)")
    private static let bridge = I2CAdapterNode(path: "/dev/i2c-3", name: "CP2112 SMBus Bridge on hidraw0")
    private static let raspberryMend =
        "there is no I2C adapter here: on a Raspberry Pi put dtparam=i2c_arm=on in config.txt and i2c-dev in "
        + "/etc/modules (sudo raspi-config, Interface, I2C, does both), then restart"

    private func list(_ nodes: [I2CAdapterNode]) -> I2CAdapterList {
        I2CAdapterList(nodes: nodes, kernelHasAny: !nodes.isEmpty)
    }

    @Test func `a path is used as it is, and an adapter's name finds the adapter`() throws {
        let list = list([Self.one, Self.bridge])
        #expect(try list.path(of: "/dev/somewhere") == "/dev/somewhere")
        #expect(try list.path(of: "CP2112 SMBus Bridge on hidraw0") == "/dev/i2c-3")
    }

    @Test func `an unknown name is refused with the existing adapters`() {
        let error = #expect(throws: BusError.self) { _ = try list([Self.one, Self.bridge]).path(of: "bcm2711") }
        #expect(error == BusError(.notFound, bus: "bcm2711"))
        #expect(
            error?.description
                == "bcm2711: no such I2C adapter; there are /dev/i2c-1 (bcm2835 (i2c@7e804000)), /dev/i2c-3 "
                + "(CP2112 SMBus Bridge on hidraw0)")
    }

    @Test func `a name that two adapters have is refused with both`() {
        var second = Self.one
        second.path = "/dev/i2c-2"
        let error = #expect(throws: BusError.self) {
            _ = try list([Self.one, second]).path(of: "bcm2835 (i2c@7e804000)")
        }
        #expect(
            error?.description
                == "bcm2835 (i2c@7e804000): several adapters have this name; choose one of /dev/i2c-1, /dev/i2c-2")
    }

    @Test func `without any adapter the message says how a Raspberry Pi gets one`() {
        #expect(list([]).missing("/dev/i2c-1").description == "/dev/i2c-1: no such I2C adapter; \(Self.raspberryMend)")
        let withoutNodes = I2CAdapterList(nodes: [], kernelHasAny: true)
        #expect(
            withoutNodes.missing("/dev/i2c-1").description
                == "/dev/i2c-1: no such I2C adapter; the kernel has adapters without device nodes: sudo modprobe "
                + "i2c-dev")
    }

    @Test func `a path that does not exist is not an adapter`() {
        let error = #expect(throws: BusError.self) { _ = try LinuxI2CBus("/dev/i2c-99") }
        #expect(error == BusError(.notFound, bus: "/dev/i2c-99"))
        #expect(error?.errno == ENOENT)
        #expect(error?.description.hasPrefix("/dev/i2c-99: no such I2C adapter; there ") == true)
    }

    @Test(arguments: ["/dev/null", "/etc/passwd", "/dev", "/dev/ptmx"])
    func `a file that is not an adapter is refused, and the message says so`(path: String) {
        let error = #expect(throws: BusError.self) { _ = try LinuxI2CBus(path) }
        #expect(error == BusError(.unsupported, bus: path))
        #expect(error?.description.hasPrefix("\(path): this is not an I2C adapter; there ") == true)
    }
}

@Suite("I2C errors")
struct I2CErrorTests {
    private let chip = I2CAddress(0x0D)

    private func kind(_ errno: Int32, adapterIsPresent: Bool = true) -> BusError.Kind {
        BusError(transferringWith: chip, bus: "B", errno: errno, adapterIsPresent: adapterIsPresent).kind
    }

    @Test func `each errno of a transfer has its kind`() {
        #expect(kind(ENXIO) == .noAcknowledge)
        #expect(kind(EREMOTEIO) == .noAcknowledge)
        #expect(kind(EAGAIN) == .arbitrationLost)
        #expect(kind(ETIMEDOUT) == .timeout)
        #expect(kind(EBUSY) == .timeout)
        #expect(kind(ESHUTDOWN) == .gone)
        #expect(kind(EACCES) == .permissionDenied)
        #expect(kind(EOPNOTSUPP) == .unsupported)
        #expect(kind(EPROTO) == .other)
    }

    @Test func `ENODEV means a missing chip while the adapter's device node exists`() {
        #expect(kind(ENODEV) == .noAcknowledge)
        #expect(kind(ENODEV, adapterIsPresent: false) == .gone)
    }

    @Test func `a truncated transfer is reported with the kernel's error text and the remedy`() {
        let error = BusError(transferringWith: chip, bus: "B", errno: EIO, adapterIsPresent: true)
        #expect(
            error.description
                == "B, address 0x0d: Input/output error; the transfer was cut short: check wiring and pull-up "
                + "resistors, and try a slower bus")
    }

    @Test func `a chip held by a kernel driver is busy`() {
        let error = BusError(selecting: chip, bus: "/dev/i2c-99", path: "/dev/i2c-99", errno: EBUSY)
        #expect(error == BusError(.busy, bus: "/dev/i2c-99", address: chip))
        #expect(error.errno == EBUSY)
    }

    @Test func `an adapter without permission is reported with how to get it`() {
        let error = BusError(opening: "/dev/null/i2c-1", bus: "/dev/i2c-1", errno: EACCES)
        #expect(error.kind == .permissionDenied)
        #expect(
            error.description
                == "/dev/i2c-1: permission denied; check the permissions of /dev/null/i2c-1, and of the directories "
                + "above it; sextant doctor has the udev rule for the installed daemon")
    }
}

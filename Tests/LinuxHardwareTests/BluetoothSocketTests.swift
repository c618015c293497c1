import Glibc
import LinuxHardware
import SextantReactor
import Testing

/// What needs a controller and the right to use it is a scenario of the bench, `beacons`.
@Suite("Bluetooth management socket")
struct BluetoothSocketTests {
    @Test func `another descriptor is refused`() throws {
        #expect(throws: BluetoothSocketError.unfitting) {
            _ = try BluetoothSocket(adopting: try Descriptor(opening: "/dev/null", flags: O_RDWR))
        }
        #expect(throws: BluetoothSocketError.unfitting) {
            _ = try BluetoothSocket(adopting: Descriptor(adopting: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)))
        }
    }

    /// Which of the two it is depends on the machine and on who runs the test.
    @Test func `it opens, or says what is missing`() {
        do throws(BluetoothSocketError) {
            let opened = try BluetoothSocket()
            var buffer = [UInt8](repeating: 0, count: 64)
            #expect(opened.read(into: &buffer) != .disconnected(errno: 0))
        } catch {
            #expect(error.isAbsence, "\(error)")
        }
    }

    @Test(arguments: [BluetoothSocketError.notSupported, .notPermitted, .unfitting, .other(errno: EIO)])
    func `every error is one line`(error: BluetoothSocketError) {
        #expect(!error.description.contains("\n"))
        #expect(error.description.contains("Bluetooth"))
    }
}

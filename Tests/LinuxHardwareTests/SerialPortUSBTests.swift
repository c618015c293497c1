import Foundation
import Testing

@testable import LinuxHardware

@Suite("SerialPort at USB")
struct SerialPortUSBTests {
    /// A serial device of a USB device's first interface, as the kernel shows it; a bridge's port is a folder further down.
    private func isReceiversUSB(
        vendor: String?, product: String = "01a8", isBridge: Bool = false
    ) throws -> Bool {
        let root = "\(NSTemporaryDirectory())/sextant-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let device = "\(root)/devices/usb1/1-1"
        let serial = "\(device)/1-1:1.0" + (isBridge ? "/ttyUSB0" : "")
        let node = serial + "/tty/node"
        for folder in [node, root + "/char"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try Data("\(product)\n".utf8).write(to: URL(filePath: device + "/idProduct"))
        try vendor.map { try Data("\($0)\n".utf8).write(to: URL(filePath: device + "/idVendor")) }
        try FileManager.default.createSymbolicLink(atPath: root + "/char/166:3", withDestinationPath: node)
        try FileManager.default.createSymbolicLink(atPath: node + "/device", withDestinationPath: "../..")
        return SerialPort.isReceiversUSB(166 << 8 | 3, in: root + "/char")
    }

    @Test func `a u-blox receiver's USB port is recognised by its product number, unlike u-blox modems`() throws {
        for product in ["01a4", "01a9", "0502"] { #expect(try isReceiversUSB(vendor: "1546", product: product)) }
        #expect(try !isReceiversUSB(vendor: "1546", product: "1102"))
        #expect(try !isReceiversUSB(vendor: "2341"))
    }

    @Test func `a USB serial bridge's port is a UART, whoever made it, and so is a port not at USB`() throws {
        #expect(try !isReceiversUSB(vendor: "1546", isBridge: true))
        #expect(try !isReceiversUSB(vendor: nil))
        #expect(!SerialPort.isReceiversUSB(4 << 8 | 64, in: "/nonexistent"))
    }
}

import Beacons
import SextantUnits

@testable import Monitors

/// A beacon, as its advertisement says it.
func beacon(major: UInt16 = 1, power: Int8 = -59) -> Beacon {
    let bytes: [UInt8] =
        [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + Array(repeating: 0xE2, count: 16)
        + [UInt8(major >> 8), UInt8(major & 0xFF), 0, 1, UInt8(bitPattern: power)]
    guard let beacon = try? Beacon(advertisement: bytes.span) else { fatalError("the bytes above are a beacon") }
    return beacon
}

/// A sender's address, told apart by its last byte.
func sender(_ last: UInt8 = 1) -> SenderAddress {
    let event: [UInt8] = [0x12, 0, 0, 0, 14, 0, last, 0, 0, 0, 0, 0, 2, 0xC4, 0, 0, 0, 0, 0, 0]
    guard case .advertisement(let heard, _) = try? ManagementEvent(event.span) else { fatalError("an event") }
    return heard.sender
}

func seconds(_ value: Double) -> MonotonicInstant { MonotonicInstant.zero.advanced(bySeconds: value) }

import ClientProtocol
import Monitors
import Parts
import SextantUnits
import Testing

@testable import Access
@testable import Monitoring

/// Records as the store holds them, made by the version before types named their fields once.
@Suite("Stored records")
struct StoredRecordTests {
    /// Reads a record, and writes what was read.
    private static func again<Value: Recorded & SendableMetatype>(_: Value.Type) -> @Sendable ([UInt8]) -> [UInt8]? {
        { Value.decode($0.span)?.encode() }
    }

    private static let records: [(name: String, hexadecimal: String, again: @Sendable ([UInt8]) -> [UInt8]?)] = [
        (
            "a visit",
            "01030700000000000000010061154daa940fbfe918000000000000008000000000006056c00000000000706640"
                + "0000000000004e40",
            again(PendingEvent.self)
        ),
        (
            "a visit with a range",
            "01030700000000000000010061154daa940fbfe91800d895851dbfe91800000000006056c00000000000706640"
                + "0000000000004e4001154daa940fbfe91800d895851dbfe918",
            again(PendingEvent.self)
        ),
        (
            "an exit",
            "010209000000000000000200c3a90400686f6d650001154daa940fbfe9180000000000000080",
            again(PendingEvent.self)
        ),
        (
            "a dwell",
            "010209000000000000000200c3a90400686f6d650501154daa940fbfe9180000000000000080",
            again(PendingEvent.self)
        ),
        (
            "a state",
            "010209000000000000000200c3a90400686f6d651001154daa940fbfe9180000000000000080",
            again(PendingEvent.self)
        ),
        (
            "a beacon of a monitor",
            "010209000000000000000100620400686f6d652b02154daa940fbfe91800d895851dbfe91801006d0807060504"
                + "030201181716151413121101000200154daa940fbfe91800d895851dbfe918",
            again(PendingEvent.self)
        ),
        (
            "a past visit",
            "010303000000000000000400000000000000154daa940fbfe91800d895851dbfe91800000000006056c0000000"
                + "00007066400000000000004e40000000000000e03f01154daa940fbfe91800d895851dbfe918",
            again(PastVisitObject.self)
        ),
        (
            "a past visit without an arrival",
            "010203000000000000000400000000000000000000000000000000d895851dbfe91800000000006056c0000000"
                + "00007066400000000000004e40000000000000e03f02154daa940fbfe91800d895851dbfe918",
            again(PastVisitObject.self)
        ),
        (
            "a client of visits",
            "010500000000000000",
            again(VisitWatch.self)
        ),
        (
            "a coarse stay",
            "010000000000c0474000000000008020400000000000001040154daa940fbfe91800d895851dbfe91801",
            again(CoarseStay.self)
        ),
        (
            "a place that was told",
            "010000000000c0474000000000008020400000000000001040",
            again(NotifiedPlace.self)
        ),
        (
            "a circle",
            "0203000400686f6d650000000000c0474000000000008020400000000000005940",
            again(RegionRegistration.self)
        ),
        (
            "a circle with all",
            "02bd010400686f6d650000000000c0474000000000008020400000000000005940000000000000144001006d15"
                + "4daa940fbfe9180000000000004e40",
            again(RegionRegistration.self)
        ),
        (
            "a polygon",
            "02fd020400686f6d65010000000100000003000000000000000080474000000000000020400000000000804740"
                + "00000000000021400000000000c047400000000000002040000000000000144001006d154daa940fbfe9180000"
                + "000000004e40",
            again(RegionRegistration.self)
        ),
        (
            "beacons",
            "03f9020400686f6d6508070605040302011817161514131211010700000000ac23fc0600000001006d154daa94"
                + "0fbfe9180000000000004e400807060504030201181716151413121101000200",
            again(RegionRegistration.self)
        ),
        (
            "near beacons",
            "047d020400686f6d65080706050403020118171615141312110107000000000000000000000001006d154daa94"
                + "0fbfe9180000000000004e400000000000000440",
            again(RegionRegistration.self)
        ),
        (
            "sessions",
            "0102000200010103070053747261c39f65",
            again(HeldSessions.self)
        ),
        (
            "a beacon with a name and a power",
            "010308070605040302011817161514131211010002000200c3a9b9",
            again(BeaconBook.Entry.self)
        ),
        (
            "a policy",
            "010600616c77617973ff00020000000100610000ff00010062060064656e6965640101",
            again(OperatorPolicy.self)
        ),
    ]

    @Test func `a record of an earlier version is read, and written again byte for byte`() throws {
        for (name, hexadecimal, again) in Self.records {
            let bytes = try bytes(hexadecimal)
            #expect(again(bytes) == bytes, "\(name)")
            #expect(again(bytes + [0]) == nil && again(Array(bytes.dropLast())) == nil, "\(name), damaged")
        }
    }

    private func bytes(_ hexadecimal: String) throws -> [UInt8] {
        let digits = try hexadecimal.map { try #require($0.hexDigitValue) }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

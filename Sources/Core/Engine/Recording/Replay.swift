public import Parts
public import SextantUnits

/// Runs the inputs of a flight recording through an Engine, and compares the outputs with the recorded digests.
public struct Replay: ~Copyable {
    private var reader: FlightReader
    /// The Engine that gets the inputs; nil until the recording's configuration was read.
    private var engine: Engine?
    /// The record with which the present boot's recording began.
    private var start: StampedInput?
    private var turn: Turn
    /// The number of replayed inputs, and the number of those whose outputs differ from the recorded ones.
    public private(set) var inputs = 0
    public private(set) var differences = 0
    /// The checksum of the recording as this Engine would write it, with the digests of its own outputs.
    ///
    /// It equals the checksum of the file's bytes only if every record is the same to the bit.
    public private(set) var check: CRC32
    /// The bytes of the record that was last added to the checksum `check`.
    private var record: [UInt8] = []
    /// Whether an earlier version wrote the recording; its outputs can differ in the last bits of a number.
    public var isOfEarlierVersion: Bool { reader.head != FlightFormat.head }
    /// Whether the recording ends in a record that was cut off.
    public var isTruncated: Bool { reader.isTruncated }

    /// - Parameter recording: The bytes of one or more files, one file after the other, of one run or of several boots;
    ///   or the first piece of these bytes, with at least the header.
    public init(_ recording: [UInt8]) throws(FlightFormatError) {
        // The initializer has two steps, because Swift 6.2 destroys a field twice if the field is set before an error
        // is thrown.
        self.init(try FlightReader(recording))
    }

    private init(_ reader: FlightReader) {
        self.reader = reader
        engine = nil
        turn = Turn()
        let head = reader.head
        var check = CRC32()
        check.add(head.span)
        self.check = check
    }

    /// Adds the recording's next piece, of any size, and drops the records that were replayed.
    public mutating func append(_ piece: [UInt8]) { reader.append(piece) }

    /// Replays one input.
    ///
    /// - Parameter body: Called with the input and the actions that it brought, both borrowed for the call.
    /// - Returns: False at the end of the bytes given so far.
    public mutating func step(_ body: (StampedInput, borrowing Turn) -> Void) throws(FlightFormatError) -> Bool {
        guard let stamped = try reader.next() else { return false }
        // Each file of a boot begins with the same record; a different one begins the next boot.
        if case .started(let configuration) = stamped.input {
            if let start, stamped.instant == start.instant, stamped.input == start.input {
                write(stamped, digest: stamped.digest)
                return true
            }
            engine = Engine(configuration)
            start = stamped
        }
        guard start != nil else { throw .notARecording }
        engine?.handle(stamped.input, at: stamped.instant, into: &turn)
        inputs += 1
        let digest = OutputDigest(of: turn).value
        if digest != stamped.digest { differences += 1 }
        write(stamped, digest: digest)
        body(stamped, turn)
        return true
    }

    private mutating func write(_ stamped: StampedInput, digest: UInt64) {
        record.removeAll(keepingCapacity: true)
        FlightFormat.append(stamped.input, at: stamped.instant, digest: digest, to: &record)
        // `check` is copied first, because it cannot be changed in place while `record`, a field of the same structure,
        // is borrowed.
        var check = self.check
        check.add(record.span)
        self.check = check
    }
}

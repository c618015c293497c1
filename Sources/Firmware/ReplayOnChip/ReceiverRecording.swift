internal import ClientProtocol
internal import ClientVocabulary
internal import Epochs
internal import SextantJSON
internal import SextantUnits

/// Decodes a receiver's recording in the same way as `sextant decode --date 2020-01-01`.
enum ReceiverRecording {
    /// Decodes a file; returns the text to print about the file, and the program's exit status.
    ///
    /// - Parameters:
    ///   - first: The beginning of the file, which was read already.
    ///   - next: Returns the bytes that follow those read before: an empty array at the file's end, nil if it cannot be
    ///     read.
    static func decode(_ first: [UInt8], _ next: () -> [UInt8]?) -> (String, Int32) {
        let date = CivilDate(daysSince1970: 18_262)
        let reference = DateReference.near(UTCInstant(date: date, timeOfDay: 0))
        var decoder = EpochDecoder(reference: reference, source: .recording)
        var (epochs, check) = (0, CRC32())
        var text = TextBuffer(capacity: 4096)
        var piece = first
        while !piece.isEmpty {
            var offset = 0
            while offset < piece.count {
                offset += decoder.append(piece.span.extracting(offset..<piece.count))
                while decoder.advance(at: .zero) { epochs += add(decoder, to: &check, &text) }
            }
            guard let read = next() else { return ("cannot be read to its end", 74) }
            piece = read
        }
        while decoder.abandonPartialMessage() {
            while decoder.advance(at: .zero) { epochs += add(decoder, to: &check, &text) }
        }
        decoder.finish()
        epochs += add(decoder, to: &check, &text)
        guard epochs > 0 else { return ("is neither a flight recording nor a receiver's", 65) }
        return ("\(epochs) epochs, checksum \(check.value)", 0)
    }

    /// Adds the epochs that the decoder has just closed to the checksum, each as the line that `sextant decode` writes
    /// for it; returns the number of these epochs.
    private static func add(
        _ decoder: borrowing EpochDecoder, to check: inout CRC32, _ text: inout TextBuffer
    ) -> Int {
        for index in decoder.closedEpochs {
            EpochObject.append(decoder.closed(index), event: .epoch, hasSatellites: true, to: &text)
            text.append(0x0A)
        }
        text.withBytes { check.add($0) }
        text.removeAll()
        return decoder.closedEpochs.count
    }
}

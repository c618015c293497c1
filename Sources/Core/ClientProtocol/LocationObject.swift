public import GNSS
public import JSONText

/// Writes where the board is: the members of an epoch but for the satellites, and how old it is.
public enum LocationObject {
    /// Appends one `location` event, a line.
    ///
    /// - Parameters:
    ///   - errors: The solution's error statistics, where they were kept.
    ///   - age: Seconds since the solution; nil where that cannot be known.
    ///   - id: What the client called the request that this answers.
    public static func append(
        _ fix: Fix, errors: ErrorStatistics?, age: Double?, id: String?, to text: inout TextBuffer
    ) {
        text.reserve(1024)
        text.beginObject()
        text.member("\"event\":", literal: "location")
        text.member("\"id\":", id)
        EpochObject.append(fix, to: &text)
        if let errors { EpochObject.append(errors, to: &text) }
        text.member("\"age\":", age, decimals: 3)
        text.endObject()
        text.append(0x0A)
    }
}

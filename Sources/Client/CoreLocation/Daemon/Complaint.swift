internal import Foundation

/// What a program's author should know, on standard error.
enum Complaint {
    static func print(_ sentence: String) {
        try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(sentence)\n".utf8))
    }
}

internal import Foundation

/// Messages for the program's author, printed on standard error.
enum Complaint {
    static func print(_ sentence: String) {
        try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(sentence)\n".utf8))
    }
}

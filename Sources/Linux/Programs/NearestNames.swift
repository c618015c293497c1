/// Suggestions for a misspelt name.
package enum NearestNames {
    /// Up to three names that differ from the given one by a few letters, the nearest first.
    package static func of(_ name: String, in names: [String]) -> [String] {
        let limit = max(1, min(3, name.utf8.count / 3))
        let wanted = name.lowercased()
        var best: [(distance: Int, name: String)] = []
        for candidate in Set(names) {
            let distance = distance(wanted, candidate.lowercased())
            if distance <= limit { best.append((distance, candidate)) }
        }
        // Of two names at an equal distance, the one whose length is closer to the misspelt name's comes first.
        func rank(_ name: String) -> Int { abs(name.utf8.count - wanted.utf8.count) }
        best.sort { ($0.distance, rank($0.name), $0.name) < ($1.distance, rank($1.name), $1.name) }
        return best.prefix(3).map(\.name)
    }

    /// The smallest number of letters to insert, delete or replace that makes the texts equal (Levenshtein, 1966).
    package static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (line, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

extension Array {
    /// The index of the element with this name, by binary search; nil if there is none.
    ///
    /// The array must be sorted by name.
    ///
    /// The elements are large, so they are asked for their names in place: a loop over the array would copy each
    /// element.
    @inline(__always)
    func index(named name: String, _ nameOf: (Element) -> String) -> Int? {
        var range = indices
        while let first = range.first {
            let middle = first + range.count / 2
            let found = nameOf(self[middle])
            if found == name { return middle }
            range = found < name ? middle + 1..<range.upperBound : first..<middle
        }
        return nil
    }
}

import Emulation
import Testing

@Suite("CSV reader")
struct CSVReaderTests {
    private static let columns = ["time", "latitude", "longitude", "speed"]

    private func rows(_ text: String, pieces: Int = 1000) throws -> [[Double?]] {
        var reader = CSVReader(columns: Self.columns, requiredCount: 3)
        var rows: [[Double?]] = []
        func drain() throws {
            while try reader.next() { rows.append(Self.columns.indices.map { reader[$0] }) }
        }
        let bytes = Array(text.utf8)
        for begin in stride(from: 0, to: bytes.count, by: pieces) {
            reader.push(Array(bytes[begin..<min(begin + pieces, bytes.count)]).span)
            try drain()
        }
        reader.end()
        try drain()
        return rows
    }

    private func problem(_ text: String) -> String? {
        do {
            _ = try rows(text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static let table =
        "\r\nLongitude, latitude ,name,TIME,speed\r\n8.5,47,7,1000.25,\r\n\n-8.5e0, -47.125,,2000\n"

    @Test func `a column of words is read as it stands, without the white space around it`() throws {
        var reader = CSVReader(columns: ["time", "name"], requiredCount: 2, wordColumns: ["name"])
        reader.push(Array("NAME,time\n Ada L. ,1\n,2\n12,3".utf8).span)
        reader.end()
        var words: [String?] = []
        while try reader.next() { words.append(reader.word(1)) }
        #expect(words == ["Ada L.", nil, "12"] && reader[0] == 3 && reader[1] == nil)
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func `columns are found by name, and the file may be read in pieces of any size`(pieces: Int) throws {
        #expect(try rows(Self.table, pieces: pieces) == [[1000.25, 47, 8.5, nil], [2000, -47.125, -8.5, nil]])
    }

    @Test func `each decimal is read as the nearest double`() throws {
        let texts = [
            "0", "-0.1", "47.376888123", "1789905602.123", "123456789012345678", "0.000000000000000001", "1e-3", "+5",
            ".5",
            "5.", "-179.999999999999",
        ]
        for text in texts {
            let read = try rows("time,latitude,longitude\n\(text),0,0\n")
            #expect(read.first?.first == Double(text), "\(text)")
        }
        #expect(try rows("time,latitude,longitude\n1,nan,inf\n").first?[1]?.isNaN == true)
    }

    @Test func `the last row does not need a line end`() throws {
        #expect(try rows("time,latitude,longitude\n1,2,3") == [[1, 2, 3, nil]])
        #expect(try rows("time,latitude,longitude\n1,2,3,") == [[1, 2, 3, nil]])
    }

    @Test(
        arguments: [
            ("", "it is empty; begin with the header time,latitude,longitude"),
            ("\n\n", "it is empty; begin with the header time,latitude,longitude"),
            (
                "\ntime,latitude\n",
                "line 2: the header does not name longitude; begin with the header time,latitude,longitude"
            ),
            (
                "time,latitude,longitude\n1,2,3\n\n1,x2,3\n",
                "line 4: latitude is \"x2\", which is no number; write it as 12.5"
            ),
            (
                "time,latitude,longitude\n1,2,3,4\n",
                "line 2: it has more fields than the header's 3; write numbers with a point, not a comma"
            ),
        ])
    func `each error names the line and the remedy`(text: String, expected: String) {
        #expect(problem(text) == expected)
    }

    @Test func `a table damaged at any byte is read or refused with a message`() {
        let bytes = Array(Self.table.utf8)
        for index in bytes.indices {
            for damage: UInt8 in [0x00, 0x0A, 0x20, 0x2C, 0x2D, 0x2E, 0x65, 0x39, 0xFF] {
                var damaged = bytes
                damaged[index] = damage
                let text = String(decoding: damaged, as: UTF8.self)
                if let problem = problem(text) { #expect(problem.contains("; ")) }
            }
        }
    }

    @Test func `a file without line ends is refused before it fills the memory`() {
        var reader = CSVReader(columns: Self.columns, requiredCount: 3)
        reader.push([UInt8](repeating: 0x31, count: CSVReader.longestLine + 1).span)
        #expect(throws: CSVError.self) { try reader.next() }
    }

    @Test func `an empty required number and a number out of bounds are errors`() throws {
        var reader = CSVReader(columns: Self.columns, requiredCount: 3)
        reader.push(Array("time,latitude,longitude\n,91,3\n".utf8).span)
        let isThere = try reader.next()
        #expect(isThere)
        #expect(throws: CSVError(line: 2, problem: "time is empty", mend: "write a number")) { try reader.required(0) }
        #expect(throws: CSVError(line: 2, problem: "latitude is 91.0", mend: "it lies from -90.0 to 90.0")) {
            try reader.value(1, in: -90...90)
        }
        #expect(try reader.value(2, in: -180...180) == 3)
    }
}

import SextantUnits
import Testing

@Suite("Bisection")
struct PartitioningIndexTests {
    @Test func `the first element for which the condition holds is found, or the end`() {
        for count in 0..<20 {
            let numbers = Array(0..<count)
            for limit in 0...count { #expect(numbers.partitioningIndex { $0 >= limit } == limit) }
        }
        #expect([1, 2, 3, 4][2...].partitioningIndex { $0 > 3 } == 3, "a slice keeps its indices")
    }
}

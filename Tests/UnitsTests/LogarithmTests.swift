import Glibc
import SextantUnits
import Testing

@Suite("Logarithm")
struct LogarithmTests {
    @Test func `logarithms agree with the C library to 4 units in the last place`() {
        var value = 1e-300
        while value < 1e300 {
            let expected = Glibc.log(value)
            #expect(
                abs(Logarithm.natural(value) - expected) <= 4 * max(expected.ulp, 0x1p-60), "\(value)")
            value *= 1.618_034
        }
        for step in -7000...7000 {
            let argument = Double(step) * 0.100_37
            let expected = Glibc.exp(argument)
            #expect(abs(Logarithm.exponential(argument) - expected) <= 4 * expected.ulp, "\(argument)")
        }
    }

    @Test func `zero, infinity and invalid arguments give the usual results`() {
        #expect(Logarithm.natural(1) == 0 && Logarithm.natural(0) == -.infinity)
        #expect(
            Logarithm.natural(-1).isNaN && Logarithm.natural(.nan).isNaN
                && Logarithm.natural(.infinity) == .infinity)
        #expect(Logarithm.exponential(0) == 1 && Logarithm.exponential(-1000) == 0)
        #expect(Logarithm.exponential(1000) == .infinity && Logarithm.exponential(.nan).isNaN)
    }
}

@Suite("CRC-32")
struct CRC32Tests {
    private func check(_ bytes: [UInt8]) -> UInt32 { CRC32.of(bytes.span) }

    @Test func `the checksum has the standard's check value`() {
        #expect(check(Array("123456789".utf8)) == 0xCBF4_3926 && check([]) == 0)
    }

    @Test func `a checksum computed in pieces equals that of the whole`() {
        let bytes = Array("123456789".utf8)
        for cut in 0...9 {
            var check = CRC32()
            check.add(bytes.span.extracting(..<cut))
            check.add(bytes.span.extracting(cut...))
            #expect(check.value == 0xCBF4_3926)
        }
    }
}

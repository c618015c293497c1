internal import Fuzzing

/// libFuzzer's own main function, to be called from the main function of this program.
///
/// Source: LLVM, libFuzzer, "Using libFuzzer as a library".
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The decoding core under libFuzzer, which searches for inputs that reach new code; recordings can serve as its first
/// corpus.
@main
enum Entry {
    @MainActor private static let places: PlaceSurface = {
        do {
            return try PlaceSurface()
        } catch {
            fatalError("\(error)")
        }
    }()

    @MainActor private static let services = ServiceSurface()

    static func main() {
        var count = CommandLine.argc
        var arguments = unsafe CommandLine.unsafeArgv
        // Safety: libFuzzer's main function reads the process's own arguments, and returns when it is done.
        _ = unsafe runDriver(&count, &arguments) { start, count in
            // Safety: libFuzzer lends `count` bytes from `start` for the duration of this call.
            let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
            // libFuzzer's main function was called on the main thread, and it calls back on the same thread.
            MainActor.assumeIsolated { Entry.decode(bytes) }
            return 0
        }
    }

    @MainActor private static func decode(_ bytes: [UInt8]) {
        var chain = DecodingChain()
        do {
            try chain.push(bytes.span)
            try chain.silence()
            var beacons = BeaconSurface()
            try beacons.take(bytes)
            try places.take(bytes)
            var services = Entry.services
            try services.take(bytes)
            services.replay(bytes)
        } catch {
            fatalError("\(error)")
        }
    }
}

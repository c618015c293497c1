import Foundation
import Glibc

/// The manifests and the policy of a daemon under test, in a folder of their own.
///
/// `everybody` admits whoever runs the tests, as an operator who may have everything, and the gpsd port; it fits no
/// process that a more exact manifest fits.
struct Admission {
    /// The folder of the manifests.
    let manifests: String
    let policy: String

    /// Makes an empty folder, so that nobody has a manifest, and no policy.
    static func nobody(in scratch: Scratch) throws -> Admission {
        // The policy's folder is checked as well, whatever the umask of whoever runs the tests.
        let parent = scratch.newPath("etc")
        let admission = Admission(manifests: "\(parent)/clients.d", policy: "\(parent)/policy.json5")
        for folder in [parent, admission.manifests] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        }
        return admission
    }

    /// Makes manifests for whoever runs the tests and for the gpsd port, who may have everything.
    static func everybody(in scratch: Scratch) throws -> Admission {
        let admission = try nobody(in: scratch)
        let purpose = "purpose: { whenInUse: 'To be tested.', always: 'To be tested.' }, backgroundMode: true"
        try admission.writeManifest("tests", "{ user: \(geteuid()), operator: true, \(purpose) }")
        try admission.writeManifest("gpsd", "{ \(purpose) }")
        let all = "{ authorization: 'always', accuracy: 'full' }"
        try admission.writePolicy("{ clients: { tests: \(all), gpsd: \(all) } }")
        return admission
    }

    /// The numbers of users that no machine has.
    static let (allowedUser, deniedUser, strangeUser): (UInt32, UInt32, UInt32) = (60001, 60002, 60003)

    /// Allows and denies a user each, beside whoever runs the tests; the third has no manifest.
    static func threeUsers(in scratch: Scratch) throws -> Admission {
        let admission = try everybody(in: scratch)
        let purpose = "purpose: { whenInUse: 'To be tested.' }"
        try admission.writeManifest("allowed", "{ user: \(allowedUser), \(purpose) }")
        try admission.writeManifest("denied", "{ user: \(deniedUser), \(purpose) }")
        try admission.writePolicy(
            "{ clients: { gpsd: { authorization: 'always' }, tests: { authorization: 'always' }, "
                + "allowed: { authorization: 'whenInUse' }, denied: { authorization: 'denied' } } }")
        return admission
    }

    /// The options of `sextantd` that name them.
    var options: [String] { ["--clients", manifests, "--policy", policy] }
    /// The member of the configuration file that names them.
    var member: String { "clients: { manifests: '\(manifests)', policy: '\(policy)' }," }

    /// Writes a client's manifest, JSON5; one that is there is replaced.
    func writeManifest(_ client: String, _ text: String) throws {
        try Admission.write(text, to: "\(manifests)/\(client).json5")
    }

    func writePolicy(_ text: String) throws { try Admission.write(text, to: policy) }

    private static func write(_ text: String, to path: String) throws {
        // Beside its place first: the daemon may read at any time.
        let temporary = path + ".new"
        try Data((text + "\n").utf8).write(to: URL(filePath: temporary))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: temporary)
        guard unsafe rename(temporary, path) == 0 else {
            throw Late(description: "\(path): cannot be renamed: errno \(errno)")
        }
    }
}

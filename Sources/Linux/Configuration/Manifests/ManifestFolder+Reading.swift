internal import Access
internal import Glibc
internal import SextantReactor

extension ManifestFolder {
    /// The largest number of manifests that are read, in the order of their names; no board needs that many.
    static let maximumFiles = 512

    /// Reads all manifests and the policy again.
    ///
    /// If the policy is invalid, the last valid policy stays in force; if there was none, no client gets a location.
    static func read(
        folder: String, policy policyPath: String, before last: OperatorPolicy?, accounts: Accounts
    ) -> ClientConfiguration {
        var configuration = ClientConfiguration()
        readManifests(in: folder, accounts: accounts, into: &configuration)
        do throws(ConfigurationError) {
            _ = try TrustedFile.hasFolder(at: InotifyWatches.parent(of: policyPath))
            if let policy = try PolicyFile.policy(readFrom: policyPath) {
                (configuration.policy, configuration.policySource) = (policy, .file)
            }
        } catch {
            configuration.policy = last ?? .unknown
            configuration.policySource = last == nil ? .unreadable : .file
            configuration.problems.append(ClientConfiguration.Problem(client: nil, error: error))
        }
        return configuration
    }

    private static func readManifests(
        in folder: String, accounts: Accounts, into configuration: inout ClientConfiguration
    ) {
        let names: [String]
        do throws(ConfigurationError) {
            guard try TrustedFile.hasFolder(at: folder) else { return }
            names = try fileNames(in: folder)
        } catch {
            configuration.problems.append(ClientConfiguration.Problem(client: nil, error: error))
            return
        }
        configuration.folderWasRead = true
        var manifests: [ClientManifest] = []
        if names.count > maximumFiles {
            let error = ConfigurationError(
                description: "\(folder): \(names.count) manifests; the first \(maximumFiles) by name are read, so "
                    + "remove those that no program needs")
            configuration.problems.append(ClientConfiguration.Problem(client: nil, error: error))
        }
        for name in names.prefix(maximumFiles) {
            let path = "\(folder)/\(name)"
            do throws(ConfigurationError) {
                let reading = try ManifestFile.reading(of: path, accounts: accounts)
                manifests.append(reading.manifest)
                if reading.geocodesLocally { configuration.localGeocoding.append(reading.manifest.name) }
            } catch {
                let client = try? ClientFileName(path: path).client
                configuration.problems.append(ClientConfiguration.Problem(client: client, error: error))
            }
        }
        leaveOutTwins(of: &manifests, in: folder, problems: &configuration.problems)
        configuration.problems.sort { $0.error.description < $1.error.description }
        configuration.clients = ClientManifests(manifests)
    }

    /// Removes all manifests that select the same processes as another one: which client was meant cannot be known, so
    /// none of them is served.
    private static func leaveOutTwins(
        of manifests: inout [ClientManifest], in folder: String, problems: inout [ClientConfiguration.Problem]
    ) {
        let all = manifests.filter { $0.selector != ClientSelector() }
        for manifest in all {
            guard let twin = all.first(where: { $0.name != manifest.name && $0.selector == manifest.selector }) else {
                continue
            }
            manifests.removeAll { $0.name == manifest.name }
            let error = ConfigurationError(
                description: "\(folder)/\(manifest.name).json5: unit, user, group, executable, command: the same as in "
                    + "\(twin.name).json5; a process is one client, so change or remove one of the two")
            problems.append(ClientConfiguration.Problem(client: manifest.name, error: error))
        }
    }

    /// The names of the files that are meant as manifests, sorted.
    private static func fileNames(in folder: String) throws(ConfigurationError) -> [String] {
        do throws(SystemError) {
            return try FolderListing.names(in: folder).filter(ClientFileName.isMeantAsManifest).sorted()
        } catch {
            throw TrustedFile.unreadable(folder, errno: error.errno)
        }
    }
}

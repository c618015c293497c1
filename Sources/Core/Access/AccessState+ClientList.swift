internal import ClientProtocol
internal import ClientVocabulary

/// The list of clients for operators.
extension AccessState {
    /// The clients with manifests, then the connections without one.
    func clientObjects(hasCompass: Bool) -> [ClientObject] {
        let known = book.descriptions.map { description in
            let name = description.client
            var object = ClientObject(
                name: name, selector: admission[name]?.selector.description ?? "", access: access(of: name))
            object.connections =
                connections.count { $0.client == name } + gpsd.count { $0.clients.contains(name) }
            object.isInUse = description.rights.isInUse
            object.waiting = description.rights.waiting
            object.problem =
                missing(for: name, hasCompass: hasCompass) ?? description.problem?.message ?? mixedUp(name)
            object.alsoAs = description.rights.status.isAuthorized ? [] : otherClients(ofProgramsOf: name)
            return object
        }
        return known + strangers
    }

    /// Why a client sees less at the gpsd port than its authorization allows; nil if it does not see less.
    private func mixedUp(_ name: String) -> String? {
        guard let mixed = gpsd.first(where: { $0.clients.count > 1 && $0.clients.contains(name) }) else { return nil }
        let names = mixed.clients.compactMap { $0 == name ? nil : $0 ?? "a program without a manifest" }
        return "at the gpsd port it cannot be told from \(names.joined(separator: ", ")) of the same user, so both see "
            + "there what the lesser may; give its programs a user of their own"
    }

    /// The authorized clients as which this client's programs can pose.
    ///
    /// A program cannot move to another systemd unit or become another user, so no program can pose as a client whose
    /// manifest names a unit or another user.
    private func otherClients(ofProgramsOf name: String) -> [String] {
        let user = admission[name]?.selector.user
        return admission.manifests.filter { other in
            guard other.name != name, book.rights(of: other.name).status.isAuthorized else { return false }
            let selector = other.selector
            return selector.unit == nil && (selector.user == nil || user == nil || selector.user == user)
        }.map { $0.name }
    }

    /// The connections to which no manifest applies; those of the same process name are one entry with a count.
    private var strangers: [ClientObject] {
        var strangers: [ClientObject] = []
        let names =
            connections.filter { $0.client == nil }.map { $0.identity?.printableName ?? "local" }
            + gpsd.filter { $0.clients == [nil] }.map { $0.printableName }
        for name in names {
            if let index = strangers.firstIndex(where: { $0.name == name }) {
                strangers[index].connections += 1
            } else {
                var object = ClientObject(name: name, selector: name, access: access(of: nil))
                object.connections = 1
                object.problem =
                    "no manifest names it, so its requests have no effect; write one in clients.d"
                strangers.append(object)
            }
        }
        return strangers
    }
}

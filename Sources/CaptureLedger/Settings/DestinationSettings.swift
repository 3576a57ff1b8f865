package import DeliveryMachine

/// One destination as the settings describe it. Its credential stays in a file until a run begins.
package struct DestinationSettings: Sendable {
    /// Everything but what is secret.
    package var endpoint: Destination
    /// Holds the bearer token, read anew at every run.
    package var bearerFile: String?
    /// Sent with every request; values count as secret.
    package var headers: [Header] = []

    package var name: String { endpoint.name.text }

    package init(endpoint: Destination) { self.endpoint = endpoint }

    /// The destination with its credential, for one run.
    ///
    /// - Parameters:
    ///   - readFile: the bytes of a file, or why there are none.
    ///   - fingerprint: changes with its bytes and says nothing about them.
    /// - Throws: `credential_unreadable` for a token file that is absent, empty, or not one line of visible ASCII.
    package func resolved(
        readFile: (String) throws -> [UInt8], fingerprint: ([UInt8]) -> String
    ) throws(SettingsProblem) -> Destination {
        var result = endpoint
        result.headers = headers
        guard let bearerFile else { return result }
        let place = "destinations.\(name).auth.bearer_file"
        let bytes: [UInt8]
        do { bytes = try readFile(bearerFile) } catch {
            throw SettingsProblem(
                .credentialUnreadable, at: place, "The token file of the destination \(name) cannot be read.",
                remedy: "Check the path and its permissions in \(place).")
        }
        let token = bytes.reversed().drop { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }.reversed()
        guard !token.isEmpty, token.count <= 16 << 10, token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SettingsProblem(
                .credentialUnreadable, at: place, "The token file of the destination \(name) does not hold one token.",
                remedy: "Write the token alone into the file, as one line of visible ASCII.")
        }
        result.headers.append(Header("Authorization", "Bearer " + String(decoding: token, as: UTF8.self)))
        result.credentialFingerprint = fingerprint(Array(token))
        return result
    }
}

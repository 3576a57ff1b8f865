/// Everything that reached the sandbox, for a test to ask. `GET {control}/requests` gives the same as JSON.
package struct SandboxRecord: Sendable, Codable, Equatable {
    /// One submission that arrived at an endpoint, well-formed or not.
    package struct Request: Sendable, Codable, Equatable {
        package var destination: SandboxDestination
        /// The idempotency key as it was sent.
        package var key: String?
        package var sessionID: String?
        package var piece: String?
        package var captureID: String?
        /// SHA-256 of the media bytes that arrived, in hexadecimal; nil when the body was not well-formed.
        package var digest: String?
        /// Media bytes that arrived; 0 when the body was not well-formed.
        package var bytes: Int
        /// The status that was answered; 0 when the connection ended without one.
        package var status: Int
        /// Taken in as new.
        package var isEffect: Bool
        /// Answered with the first answer of its key.
        package var isReplayed: Bool
        /// The same for every request whose body has the same bytes.
        package var fingerprint: String?
        package var traceparent: String?
        /// Why the request was refused; never holds anything of its body but names and positions.
        package var problem: String?

        package enum CodingKeys: String, CodingKey {
            case destination, key, piece, digest, bytes, status, fingerprint, traceparent, problem
            case sessionID = "session_id"
            case captureID = "capture_id"
            case isEffect = "effect"
            case isReplayed = "replayed"
        }
    }

    /// One question to a status address.
    package struct Probe: Sendable, Codable, Equatable {
        package var destination: SandboxDestination?
        package var captureID: String?
        package var status: Int

        package enum CodingKeys: String, CodingKey {
            case destination, status
            case captureID = "capture_id"
        }
    }

    package var requests: [Request] = []
    package var probes: [Probe] = []
    /// How often each capture (`session/piece/capture`) or video (its digest) was taken in as new.
    package var effects: [String: Int] = [:]
    /// How many different idempotency keys were seen.
    package var keys: Int = 0

    package init() {}
}

extension SandboxRecord {
    package var json: SandboxJSON {
        [
            "requests": .array(requests.map(\.json)),
            "effects": .object(effects.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) }),
            "keys": .integer(keys),
            "probes": .array(probes.map(\.json)),
        ]
    }
}

extension SandboxRecord.Request {
    package var json: SandboxJSON {
        [
            "destination": .string(destination.rawValue), "key": .optional(key), "session_id": .optional(sessionID),
            "piece": .optional(piece), "capture_id": .optional(captureID), "digest": .optional(digest),
            "bytes": .integer(bytes), "status": .integer(status), "effect": .bool(isEffect), "replayed": .bool(isReplayed),
            "fingerprint": .optional(fingerprint), "traceparent": .optional(traceparent), "problem": .optional(problem),
        ]
    }
}

extension SandboxRecord.Probe {
    package var json: SandboxJSON {
        [
            "destination": .optional(destination?.rawValue), "capture_id": .optional(captureID), "status": .integer(status),
        ]
    }
}

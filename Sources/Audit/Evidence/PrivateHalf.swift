import Cryptography
package import SessionDomain
import Vault

/// What an export says of an event's private half.
package enum PrivateHalf: Sendable, Equatable {
    /// The event has none.
    case none
    /// Opened, with the key of this one object, so that whoever has the file can open the stored bytes again and compare.
    case open(content: [UInt8], key: [UInt8])
    /// Left as it is stored.
    case sealed
    /// The session's key was destroyed: nobody opens it any more.
    case destroyed
    /// Its bytes do not open.
    case unreadable

    package var json: JSONValue? {
        switch self {
        case .none: return nil
        case .sealed: return .members([.init("state", .string("sealed"))])
        case .destroyed: return .members([.init("state", .string("destroyed"))])
        case .unreadable: return .members([.init("state", .string("unreadable"))])
        case .open(let content, let key):
            var members: [JSONValue.Member] = [
                .init("state", .string("open")), .init("key", .string(Digest(key)?.hex ?? "")),
            ]
            if let json = try? JSONValue.parse(content), json.canonicalBytes == content {
                members.append(.init("content", json))
            } else {
                members.append(.init("content_base64", .string(Base64.encode(content))))
            }
            return .members(members)
        }
    }

    package init?(json: JSONValue?) {
        guard let json else {
            self = .none
            return
        }
        switch json["state"]?.asString {
        case "sealed": self = .sealed
        case "destroyed": self = .destroyed
        case "unreadable": self = .unreadable
        case "open":
            guard let key = json["key"]?.asString.flatMap({ Digest256(hex: $0) })?.bytes,
                let content = json["content"]?.canonicalBytes
                    ?? json["content_base64"]?.asString.flatMap({ Base64.decode($0) })
            else { return nil }
            self = .open(content: content, key: key)
        default: return nil
        }
    }

    /// The content as a document; nil where it was not opened.
    package var document: JSONValue? {
        guard case .open(let content, _) = self else { return nil }
        return try? JSONValue.parse(content)
    }

    /// Whether it is what the stored bytes hold. Only what is open can be told.
    func agrees(with sealed: [UInt8]?, session: UUID128) -> Bool {
        switch self {
        case .none: sealed == nil
        case .sealed, .destroyed, .unreadable: sealed != nil
        case .open(let content, let key):
            sealed.flatMap {
                try? SessionKey.open(
                    $0, disclosed: key, session: ObjectID(high: session.high, low: session.low))
            } == content
        }
    }
}

import FoundationEssentials
import MediaChecks
import SessionDomain

/// Files of the folder `Fixtures`.
enum Fixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static func names(_ subfolder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: subfolder).path).sorted()
            .map { "\(subfolder)/\($0)" }
    }
}

/// Accepted facts, or the label of the refusal.
enum Verdict: Equatable {
    case accepted(SniffedMedia)
    case refused(String)

    var media: SniffedMedia? { if case .accepted(let media) = self { media } else { nil } }
    var refusal: String? { if case .refused(let label) = self { label } else { nil } }

    static func of(
        _ source: some ByteSource, for piece: Piece = .passportFront, declared: String? = nil,
        limits: MediaLimits = .standard
    ) -> Verdict {
        do {
            return .accepted(try MediaSniffer.sniff(source, for: piece, declaredType: declared, limits: limits))
        } catch {
            return .refused(error.label)
        }
    }

    static func of(
        _ bytes: some Sequence<UInt8>, for piece: Piece = .passportFront, declared: String? = nil,
        limits: MediaLimits = .standard
    ) -> Verdict {
        of(ByteArraySource(Array(bytes)), for: piece, declared: declared, limits: limits)
    }

    static func of(fixture name: String, for piece: Piece = .passportFront, declared: String? = nil) throws -> Verdict {
        of(try Fixture.bytes(name), for: piece, declared: declared)
    }
}

extension [UInt8] {
    /// Where a short word stands first.
    func firstOffset(of word: String) -> Int? {
        let letters = Array(word.utf8)
        return indices.dropLast(letters.count - 1).first { self[$0..<$0 + letters.count].elementsEqual(letters) }
    }

    /// Where a short word stands last.
    func lastOffset(of word: String) -> Int? {
        let letters = Array(word.utf8)
        return indices.dropLast(letters.count - 1).last { self[$0..<$0 + letters.count].elementsEqual(letters) }
    }
}

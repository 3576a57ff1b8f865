import CaptureLedger
import MediaChecks
import SessionDomain

extension Finding {
    var json: JSONValue {
        let object: JSONValue = [
            "metric": .string(metric), "value": .double(value), "passed": passed.map { .bool($0) } ?? .null,
            "result": .string(result),
        ]
        return object.adding("direction", direction.map { .string($0.rawValue) })
            .adding("threshold", threshold.map { .double($0) })
            .adding("region", region.map(\.json))
            .adding("model", model.map { .string($0) })
            .adding("policy_version", policyVersion.map { .string($0) })
    }

    private var result: String { passed.map { $0 ? "passed" : "failed" } ?? "not_assessed" }

    /// Metric, verdict, value, limit, and what to do about one that failed.
    func row(_ piece: Piece) -> [String] {
        let limit = threshold.map { threshold in
            "\(direction.map { Words.plain($0.rawValue) } ?? "limit") \(Self.number(threshold))"
        }
        let remedy = passed == false ? UploadCheck.failure(for: [self], piece: piece)?.text.remedy : nil
        return [
            Words.plain(metric), passed.map { $0 ? "✓ passed" : "✗ failed" } ?? "– not assessed", Self.number(value),
            limit ?? "", remedy ?? "",
        ]
    }

    /// At most three decimals.
    private static func number(_ value: Double) -> String {
        guard value.magnitude < 1e12 else { return "\(value)" }
        let thousandths = Int64((value.magnitude * 1000).rounded())
        var digits = "\(thousandths % 1000 + 1000)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        let sign = value < 0 && thousandths > 0 ? "-" : ""
        return "\(sign)\(thousandths / 1000)\(digits.isEmpty ? "" : ".\(digits)")"
    }
}

extension NormalizedRect {
    /// In fractions of the upright picture, or of the crop.
    var json: JSONValue { [.double(x), .double(y), .double(width), .double(height)] }
}

extension FieldDetections {
    var json: JSONValue {
        let object: JSONValue = [:]
        return object.adding("photo", photo.map(\.json)).adding("signature", signature.map(\.json)).adding(
            "mrz", mrz.map(\.json))
    }
}

extension Detection {
    var json: JSONValue { ["name": .string(name), "score": .double(score), "box": box.json] }
}

extension PageCrop {
    var json: JSONValue {
        ["id": .string(id.text), "bytes": .integer(bytes), "width": .whole(width), "height": .whole(height)]
    }
}

extension [Finding] {
    var json: JSONValue { .array(map(\.json)) }

    func words(_ piece: Piece) -> String { Words.table(map { $0.row(piece) }) }
}

extension Obstacle {
    var json: JSONValue {
        let object: JSONValue = ["code": .string(code), "message": .string(message), "remedy": .string(remedy)]
        return object.adding("detail", detail.map { .string($0) })
    }

    var words: String { "\(message) \(remedy)" }
}

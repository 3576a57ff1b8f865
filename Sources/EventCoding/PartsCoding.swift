import SessionDomain

/// Encodings of the values inside facts.
enum PartsCoding {
    static func json(_ finding: Finding) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("metric", .string(finding.metric)), .init("value", .double(finding.value)),
        ]
        if let passed = finding.passed { members.append(.init("passed", .bool(passed))) }
        if let direction = finding.direction { members.append(.init("direction", .string(direction.rawValue))) }
        if let threshold = finding.threshold { members.append(.init("threshold", .double(threshold))) }
        if let region = finding.region { members.append(.init("region", json(region))) }
        if let model = finding.model { members.append(.init("model", .string(model))) }
        if let version = finding.policyVersion { members.append(.init("policy_version", .string(version))) }
        return .members(members)
    }

    static func finding(_ json: JSONValue) -> Finding? {
        guard let metric = json["metric"]?.asString, let value = json["value"]?.asDouble else { return nil }
        guard let passed = field(json["passed"], { $0.asBool }), let threshold = field(json["threshold"], { $0.asDouble }),
            let region = field(json["region"], rect), let model = field(json["model"], { $0.asString }),
            let version = field(json["policy_version"], { $0.asString }),
            let direction = field(json["direction"], { $0.asString.flatMap { Finding.Direction(rawValue: $0) } })
        else { return nil }
        return Finding(
            metric: metric, value: value, passed: passed, direction: direction, threshold: threshold, region: region,
            model: model, policyVersion: version)
    }

    /// The inner nil: the field is absent. The outer nil: it holds something else than `read` accepts.
    private static func field<Value>(_ json: JSONValue?, _ read: (JSONValue) -> Value?) -> Value?? {
        guard let json else { return .some(nil) }
        return read(json).map { .some($0) } ?? .none
    }

    static func json(_ rect: NormalizedRect) -> JSONValue {
        .array([.double(rect.x), .double(rect.y), .double(rect.width), .double(rect.height)])
    }

    static func rect(_ json: JSONValue) -> NormalizedRect? {
        guard let values = json.asArray, values.count == 4, let x = values[0].asDouble, let y = values[1].asDouble,
            let width = values[2].asDouble, let height = values[3].asDouble
        else { return nil }
        return NormalizedRect(x: x, y: y, width: width, height: height)
    }

    static func json(_ fields: FieldDetections) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let photo = fields.photo { members.append(.init("photo", json(photo))) }
        if let signature = fields.signature { members.append(.init("signature", json(signature))) }
        if let mrz = fields.mrz { members.append(.init("mrz", json(mrz))) }
        return .members(members)
    }

    static func fields(_ json: JSONValue) -> FieldDetections? {
        guard json.asMembers != nil, let photo = field(json["photo"], rect), let signature = field(json["signature"], rect),
            let mrz = field(json["mrz"], rect)
        else { return nil }
        return FieldDetections(photo: photo, signature: signature, mrz: mrz)
    }

    /// Pairs, so that a metric's name cannot be mistaken for a field of ours.
    static func json(_ measurement: Measurement) -> JSONValue {
        .array([.string(measurement.metric), .double(measurement.value)])
    }

    static func measurement(_ json: JSONValue) -> Measurement? {
        guard let pair = json.asArray, pair.count == 2, let metric = pair[0].asString, let value = pair[1].asDouble else {
            return nil
        }
        return Measurement(metric: metric, value: value)
    }

    /// Every element read by `read`; nil when one cannot be.
    static func list<Value>(_ json: JSONValue, _ read: (JSONValue) -> Value?) -> [Value]? {
        guard let values = json.asArray else { return nil }
        var result: [Value] = []
        result.reserveCapacity(values.count)
        for value in values {
            guard let element = read(value) else { return nil }
            result.append(element)
        }
        return result
    }
}

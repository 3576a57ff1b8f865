import SessionDomain

extension ModelDescriptor {
    /// Longer files are no descriptors.
    package static let sizeLimit = 65_536

    /// Reads the JSON file beside a model; docs/model-runners.md has its form. A member that is not known is refused, so that a slip of
    /// the pen is no silent default.
    ///
    /// - Parameter name: of the file, for messages.
    /// - Throws: `bad_descriptor` that names the member.
    package init(json bytes: [UInt8], named name: String) throws(ModelFault) {
        let json: JSONValue
        do throws(JSONProblem) { json = try JSONValue.parse(bytes, limit: Self.sizeLimit) } catch {
            throw Self.problem(name, "is no JSON: \(error.message)")
        }
        let whole = try DescriptorPart(
            json, name, "", keys: ["model", "role", "input", "output", "class_names", "licence", "sha256"])
        let input = try DescriptorPart(whole.value("input"), name, "input.", keys: ["width", "height", "scale", "offset"])
        let output = try DescriptorPart(whole.value("output"), name, "output.", keys: ["layout", "boxes_normalized"])

        model = try whole.text("model", "the model's file name") { !$0.isEmpty && !$0.contains("/") }
        role = try whole.choice("role", ModelRole.init(rawValue:), of: ModelRole.allCases.map(\.rawValue))
        inputWidth = try input.size("width")
        inputHeight = try input.size("height")
        scale = try input.number("scale") { $0 != 0 }
        offset = try input.number("offset") { _ in true }
        layout = try output.choice("layout", Layout.init(rawValue:), of: Layout.allCases.map(\.rawValue))
        guard Self.layouts(role).contains(layout) else {
            throw Self.problem(name, "has the layout \(layout.rawValue), which the role \(role.rawValue) cannot have")
        }
        licence = try whole.text("licence", "an SPDX expression") { !$0.isEmpty }
        digest = try whole.text("sha256", "64 hexadecimal digits, lower case") { text in
            text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
        let named = layout == .yolov8 || layout == .scores
        classNames = try named ? whole.names("class_names") : []
        boxesAreNormalized = try layout == .yolov8 ? output.flag("boxes_normalized") : false
    }

    private static func layouts(_ role: ModelRole) -> [Layout] {
        switch role {
        case .passportDetector: [.yolov8]
        case .glare, .passportBlur: [.scores, .yolov8]
        case .selfieClassifier: [.scores]
        case .faceDetector: [.faceDetection]
        case .faceMesh: [.faceMesh]
        }
    }

    fileprivate static func problem(_ name: String, _ sentence: String) -> ModelFault {
        ModelFault(
            .badDescriptor, message: "\(name) \(sentence)",
            remedy: "Install the model and its descriptor anew, or correct it: docs/model-runners.md has its form.")
    }
}

/// One object of a descriptor while it is read.
private struct DescriptorPart {
    private let json: JSONValue
    private let file: String
    private let place: String

    init(_ json: JSONValue, _ file: String, _ place: String, keys: [String]) throws(ModelFault) {
        (self.json, self.file, self.place) = (json, file, place)
        guard let members = json.asMembers else {
            throw ModelDescriptor.problem(file, "has no object\(place.isEmpty ? "" : " \(place.dropLast())")")
        }
        for member in members where !keys.contains(member.key) {
            throw ModelDescriptor.problem(
                file, "has a member that is not known beside \(keys.map { place + $0 }.joined(separator: ", "))")
        }
    }

    func value(_ key: String) throws(ModelFault) -> JSONValue {
        guard let value = json[key] else { throw ModelDescriptor.problem(file, "has no \(place)\(key)") }
        return value
    }

    func text(_ key: String, _ what: String, _ isRight: (String) -> Bool) throws(ModelFault) -> String {
        guard let text = try value(key).asString, text.utf8.count <= 200, isRight(text) else { throw wrong(key, what) }
        return text
    }

    func choice<Value>(_ key: String, _ read: (String) -> Value?, of names: [String]) throws(ModelFault) -> Value {
        guard let value = try value(key).asString.flatMap(read) else {
            throw wrong(key, "one of \(names.joined(separator: ", "))")
        }
        return value
    }

    /// Pixels of an input.
    func size(_ key: String) throws(ModelFault) -> Int {
        guard let size = try value(key).asInt, (1...4096).contains(size) else {
            throw wrong(key, "a whole number from 1 to 4096")
        }
        return size
    }

    func number(_ key: String, _ isRight: (Double) -> Bool) throws(ModelFault) -> Double {
        guard let number = try value(key).asDouble, number.magnitude <= 1e6, isRight(number) else {
            throw wrong(key, "a number")
        }
        return number
    }

    func flag(_ key: String) throws(ModelFault) -> Bool {
        guard let flag = try value(key).asBool else { throw wrong(key, "true or false") }
        return flag
    }

    func names(_ key: String) throws(ModelFault) -> [String] {
        let names = try value(key).asArray?.compactMap(\.asString) ?? []
        let isRight =
            try value(key).asArray?.count == names.count && (1...1000).contains(names.count) && Set(names).count == names.count
            && names.allSatisfy { !$0.isEmpty && $0.utf8.count <= 64 }
        guard isRight else { throw wrong(key, "a list of names, each once") }
        return names
    }

    private func wrong(_ key: String, _ what: String) -> ModelFault {
        ModelDescriptor.problem(file, "needs \(what) as \(place)\(key)")
    }
}

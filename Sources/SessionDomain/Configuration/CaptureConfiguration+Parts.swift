extension CaptureConfiguration {
    static func progress(_ value: JSONValue) throws(ConfigurationProblem) -> ProgressStyle {
        let object = value.asString.map { JSONValue.members([.init("style", .string($0))]) } ?? value
        let reader = try ConfigurationReader(object, at: "progress", keys: ["style", "count", "filled"])
        guard let style = try reader.string("style") else { throw reader.missing("style") }
        func number(_ key: String) throws(ConfigurationProblem) -> Int {
            guard let value = try reader.integer(key) else { throw reader.missing(key) }
            guard let number = Int(exactly: value) else { throw reader.wrong(key, "a small whole number") }
            return number
        }
        switch style {
        case "segments": return .segments(count: try number("count"), filled: try number("filled"))
        case "steps": return .steps(count: try number("count"), filled: try number("filled"))
        case "fraction": return .fraction
        case "hidden": return .hidden
        default:
            throw ConfigurationReader.unknownName(
                style, at: "progress.style", known: ["segments", "steps", "fraction", "hidden"])
        }
    }

    static func passportChecks(_ value: JSONValue) throws(ConfigurationProblem) -> PassportChecks {
        let reader = try ConfigurationReader(value, at: "passport_checks", keys: ["glare", "fingers", "blur"])
        return PassportChecks(
            glare: try reader.bool("glare") ?? true, fingers: try reader.bool("fingers") ?? true,
            blur: try reader.bool("blur") ?? true)
    }

    static func selfieChecks(_ value: JSONValue, at path: String) throws(ConfigurationProblem) -> SelfieChecks {
        let reader = try ConfigurationReader(value, at: path, keys: ["phone_straight", "glasses", "covered_face"])
        return SelfieChecks(
            phoneStraight: try reader.bool("phone_straight") ?? true, glasses: try reader.bool("glasses") ?? true,
            coveredFace: try reader.bool("covered_face") ?? true)
    }

    static func copy(_ value: JSONValue, at path: String) throws(ConfigurationProblem) -> CaptureCopy {
        let reader = try ConfigurationReader(
            value, at: path, keys: ["title", "subtitle", "eyebrow", "flip_hint", "header_style"])
        var copy = CaptureCopy(title: try reader.string("title"), subtitle: try reader.string("subtitle"))
        copy.eyebrow = try reader.string("eyebrow")
        copy.flipHint = try reader.string("flip_hint")
        if let value = reader.value("header_style") {
            let object = value.asString.map { JSONValue.members([.init("style", .string($0))]) } ?? value
            let place = reader.place("header_style")
            let style = try ConfigurationReader(object, at: place, keys: ["style", "accessory"])
            let accessory = try style.string("accessory")
            switch try style.string("style") {
            case "standard": copy.headerStyle = .standard
            case "title_only", "titleOnly": copy.headerStyle = .titleOnly(accessory: accessory)
            case nil: throw style.missing("style")
            case let name?:
                throw ConfigurationReader.unknownName(name, at: "\(place).style", known: ["standard", "title_only"])
            }
        }
        return copy
    }

    static func hologramSettings(_ value: JSONValue) throws(ConfigurationProblem) -> HologramSettings {
        let reader = try ConfigurationReader(
            value, at: "hologram_settings",
            keys: [
                "use_card_detection", "hologram_control_enabled", "control_face_capture", "stop_video_while_recording",
                "hint_display_ratio", "margin_ratio", "outside_of_hint_color", "is_trademark_logo_on",
            ])
        var settings = HologramSettings()
        settings.useCardDetection = try reader.bool("use_card_detection") ?? settings.useCardDetection
        settings.hologramControlEnabled = try reader.bool("hologram_control_enabled") ?? settings.hologramControlEnabled
        settings.controlFaceCapture = try reader.bool("control_face_capture") ?? settings.controlFaceCapture
        settings.stopVideoWhileRecording = try reader.bool("stop_video_while_recording") ?? settings.stopVideoWhileRecording
        settings.hintDisplayRatio = try reader.double("hint_display_ratio") ?? settings.hintDisplayRatio
        settings.marginRatio = try reader.double("margin_ratio") ?? settings.marginRatio
        settings.outsideOfHintColor = try reader.string("outside_of_hint_color") ?? settings.outsideOfHintColor
        settings.isTrademarkLogoOn = try reader.bool("is_trademark_logo_on") ?? settings.isTrademarkLogoOn
        return settings
    }
}

/// How a hologram video is looked at. The numbers of the local measure are those of the MIDV-Holo baseline.
package struct HologramVideoPolicy: Sendable, Hashable {
    package var sampleMilliseconds = 200
    package var mostFrames = 300
    package var cardShare = 0.5
    package var cardAbsenceMilliseconds = 1_000
    package var faceFrames = 1
    package var glareShare = 0.1
    package var highlight = 240.0
    package var saturation = 40.0
    package var coherence = 100.0
    package var areaShare = 0.02
    package var measureFrames = 5

    package init() {}

    var measure: HologramMeasure.Limits {
        var limits = HologramMeasure.Limits()
        limits.highlight = highlight
        limits.saturation = saturation
        limits.coherence = coherence
        limits.areaShare = areaShare
        limits.frames = measureFrames
        return limits
    }
}

extension HologramVideoPolicy: PolicySection {
    static let fields: [PolicyField<Self>] = [
        .init(
            "sample_ms", .whole(\.sampleMilliseconds, 20...10_000), "From one looked-at frame of a hologram video to the next."),
        .init("most_frames", .whole(\.mostFrames, 1...3_000), "No more frames are looked at, however long the video is."),
        .init(
            "card_share", .number(\.cardShare, 0...1),
            "The lowest share of frames with the card; judged where the session asks for card detection."),
        .init(
            "card_absence_ms", .whole(\.cardAbsenceMilliseconds, 0...600_000),
            "The card may be away for so long; judged where the session stops a video whose document left."),
        .init(
            "face_frames", .whole(\.faceFrames, 1...3_000),
            "The fewest frames with the card's photo; judged where the session asks for it."),
        .init("glare_share", .number(\.glareShare, 0...1), "The most of the card that reflects; measured only."),
        .init("highlight", .number(\.highlight, 0...255), "Brighter cells of the card are reflections."),
        .init("saturation", .number(\.saturation, 0...255), "A cell is holographic only if it was once more saturated."),
        .init("coherence", .number(\.coherence, 0...256), "A cell is holographic when its hues agree by less."),
        .init("area_share", .number(\.areaShare, 0...1), "The share of the card that is holographic; measured only."),
        .init("measure_frames", .whole(\.measureFrames, 1...3_000), "A cell counts after so many frames."),
    ]
}

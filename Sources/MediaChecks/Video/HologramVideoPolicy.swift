/// How a hologram video is looked at. The numbers of the local measure are those of the MIDV-Holo baseline.
package struct HologramVideoPolicy: Sendable, Hashable {
    /// Five frames a second.
    package var sampleMilliseconds: Int64 = 200
    /// No more frames than this are looked at, whatever the video's length.
    package var mostFrames = 300
    /// Of the frames looked at, with the card in them.
    package var cardShare = 0.5
    /// The card may be away for this long.
    package var cardAbsenceMilliseconds: Int64 = 1_000
    /// Frames in which the card's photo was seen.
    package var faceSuccesses = 1
    /// Of the card's area.
    package var glareShare = 0.1
    package var measure = HologramMeasure.Limits()

    package init() {}
}

package import SessionDomain

extension SniffedMedia {
    /// What the event of a capture holds.
    package var facts: MediaFacts {
        MediaFacts(
            type: type.rawValue, bytes: bytes, width: width, height: height, orientation: orientation, flags: flags)
    }
}

/// From which score on a detection of the passport detector counts, and how doubles are removed.
package struct DetectorPolicy: Sendable, Hashable {
    package var page = 0.5
    package var photo = 0.4
    package var signature = 0.3
    package var mrz = 0.4
    package var finger = 0.25
    package var otherDocument = 0.5
    package var floor = 0.1
    package var overlap = 0.5
    package var limit = 300

    package init() {}

    /// By the class's name in the descriptor; of a class that is not known: more than any score.
    package func threshold(_ name: String) -> Double {
        switch name {
        case "page": page
        case "photo": photo
        case "signature": signature
        case "mrz": mrz
        case "finger": finger
        case "other_document": otherDocument
        default: .infinity
        }
    }
}

extension DetectorPolicy: PolicySection {
    static let fields: [PolicyField<Self>] = [
        .init("page", .number(\.page, 0...1), "The lowest score of a page that counts; so on for every class."),
        .init("photo", .number(\.photo, 0...1), "The photo on the page."),
        .init("signature", .number(\.signature, 0...1), "The signature on the page."),
        .init("mrz", .number(\.mrz, 0...1), "The machine-readable zone."),
        .init("finger", .number(\.finger, 0...1), "A finger anywhere."),
        .init("other_document", .number(\.otherDocument, 0...1), "A document that is no passport page."),
        .init("floor", .number(\.floor, 0.001...1), "Below this nothing is kept, not even to be judged anew later."),
        .init(
            "overlap", .number(\.overlap, 0...1),
            "Two boxes of one class that overlap by more (IoU) are one; the lower score goes."),
        .init("limit", .whole(\.limit, 1...300), "At most so many detections are kept."),
    ]
}

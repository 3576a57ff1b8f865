import Cryptography
package import HTMLPages
import SessionDomain

/// The page that shows a session to a person, on the screen and on paper.
package struct EvidenceReport: Sendable {
    let content: ReportContent

    package init(_ content: ReportContent) { self.content = content }

    /// Hands the page over in parts, one picture in memory at a time.
    ///
    /// - Parameters:
    ///   - pictures: of an original or a page, in a size for print; none for what is not shown.
    ///   - output: takes a part.
    package func write<Failure: Error>(
        pictures: (EventRecord.NamedMedia) throws(Failure) -> [ReportPicture], to output: (Markup) throws(Failure) -> Void
    ) throws(Failure) {
        let page = Page(title: "Evidence of a capture session", style: Self.style)
        try output(page.head)
        try output(cover)
        try output(timeline)
        for event in content.events {
            guard let original = event.record.original else { continue }
            try output(heading(of: event.record, original))
            try write(pictures, of: original, to: output)
            for judgement in judgements(of: original.id) {
                if let crop = judgement.record.crop { try write(pictures, of: crop, to: output) }
            }
            try output("</div>")
            try output(checks(of: original.id))
            try output(answers(of: original.id))
            try output("</section>\n")
        }
        try output(leftOut)
        try output(proof)
        try output(page.tail)
    }

    private func write<Failure: Error>(
        _ pictures: (EventRecord.NamedMedia) throws(Failure) -> [ReportPicture], of media: EventRecord.NamedMedia,
        to output: (Markup) throws(Failure) -> Void
    ) throws(Failure) {
        for picture in try pictures(media) {
            try output(
                """
                <figure><img alt="\(picture.caption)" src="data:\(picture.type);base64,\(Base64.encode(picture.bytes))">\
                <figcaption>\(picture.caption)</figcaption></figure>

                """)
        }
    }

    private func judgements(of capture: UUID128) -> [ReportContent.Event] {
        content.events.filter { $0.record.type == .pieceChecked && $0.record.captureID == capture }
    }

    /// Which capture it is, and what was taken in; the pictures follow.
    private func heading(of record: EventRecord, _ original: EventRecord.NamedMedia) -> Markup {
        let attempt = record.facts["attempt"]?.asInteger
        let name = ReportWords.sentence(record.piece?.rawValue ?? "capture")
        return """
            <section><h2>\(name)\(attempt.map { ", capture \($0)" } ?? "")</h2>
            <p class="soft">\(ReportWords.time(record.recordedAtMilliseconds)) · \(ReportWords.details(record, .none).joined(separator: " · ")) · \
            \(original.width) × \(original.height) · <code>\(original.id.text)</code></p>
            <div class="pictures">

            """
    }
}

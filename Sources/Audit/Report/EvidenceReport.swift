import Cryptography
package import HTMLPages
import SessionDomain

/// The page that shows a session to a person, on the screen and on paper.
package struct EvidenceReport: Sendable {
    let content: ReportContent

    package init(_ content: ReportContent) { self.content = content }

    /// Hands the page over in parts: one event, or one picture, is in memory at a time.
    ///
    /// - Parameter output: takes a part.
    package func write<Failure: Error>(
        asking source: ReportSource<Failure>, to output: (Markup) throws(Failure) -> Void
    ) throws(Failure) {
        let page = Page(title: "Evidence of a capture session", style: Self.style)
        try output(page.head)
        try output(cover)
        try writeTimeline(source, to: output)
        for capture in content.outline.captures {
            guard let event = try source.event(capture.position), let original = event.record.original else { continue }
            var judgements: [EventRecord] = []
            for position in capture.judgements {
                if let judgement = try source.event(position) { judgements.append(judgement.record) }
            }
            try output(heading(of: event.record, original))
            try write(try source.pictures(original, event.record), to: output)
            for judgement in judgements {
                if let crop = judgement.crop { try write(try source.pictures(crop, judgement), to: output) }
            }
            try output("</div>")
            for judgement in judgements { try output(checks(judgement)) }
            for delivery in try source.deliveries(original.id) { try output(answers(delivery)) }
            try output("</section>\n")
        }
        try output(leftOut)
        try writeProof(source, to: output)
        try output(page.tail)
    }

    private func write<Failure: Error>(
        _ pictures: [ReportPicture], to output: (Markup) throws(Failure) -> Void
    ) throws(Failure) {
        for picture in pictures {
            try output(
                """
                <figure><img alt="\(picture.caption)" src="data:\(picture.type);base64,\(Base64.encode(picture.bytes))">\
                <figcaption>\(picture.caption)</figcaption></figure>

                """)
        }
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

/// Where entries go. A sink must be callable from any thread and must never block on the writer of a line.
package protocol Sink: Sendable {
    func write(_ entry: Entry)
}

/// One line an entry, given whole to a closure, so that lines of several threads do not mix.
package struct LineSink: Sink {
    package enum Form: Sendable {
        /// One JSON object a line, for machines.
        case json
        /// Words for a person.
        case text
    }

    package let form: Form
    private let writeLine: @Sendable (String) -> Void

    /// - Parameter writeLine: gets a line without its newline.
    package init(form: Form, writeLine: @escaping @Sendable (String) -> Void) {
        self.form = form
        self.writeLine = writeLine
    }

    package func write(_ entry: Entry) {
        switch form {
        case .json: writeLine(entry.json)
        case .text: writeLine(entry.text)
        }
    }
}

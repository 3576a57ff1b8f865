/// Where entries go. A sink must be callable from any thread and must never block on the writer of a line.
package protocol Sink: Sendable {
    func write(_ entry: Entry)
}

/// One file descriptor, one line an entry, one `write` a line, so that lines of several threads do not mix.
package struct DescriptorSink: Sink {
    package enum Form: Sendable {
        /// One JSON object a line, for machines.
        case json
        /// Words for a person.
        case text
    }

    package let descriptor: Int32
    package let form: Form

    /// - Parameter descriptor: open for writing; 2 is standard error.
    package init(descriptor: Int32 = 2, form: Form) {
        self.descriptor = descriptor
        self.form = form
    }

    package func write(_ entry: Entry) {
        let line: String
        switch form {
        case .json: line = entry.json
        case .text: line = entry.text
        }
        writeLine(line, to: descriptor)
    }
}

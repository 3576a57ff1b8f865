/// One line of the log before a sink gives it a form.
package struct Entry: Sendable {
    package let level: Level
    package let message: String
    package let fields: [Field]
    package let recordedAtMilliseconds: Int64

    package init(level: Level, message: String, fields: [Field], recordedAtMilliseconds: Int64) {
        self.level = level
        self.message = message
        self.fields = fields
        self.recordedAtMilliseconds = recordedAtMilliseconds
    }
}

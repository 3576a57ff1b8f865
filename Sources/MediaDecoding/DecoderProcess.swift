import MediaChecks
import SystemCalls

/// Where the decoder's program is.
package struct DecoderProgram: Sendable, Hashable {
    package let path: String

    package init(path: String) { self.path = path }
}

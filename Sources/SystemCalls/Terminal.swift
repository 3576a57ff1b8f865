import CSystem
import Glibc

/// What stands at the other end of standard error.
package enum Terminal {
    /// Whether a person sees what is written to it; see isatty(3).
    package static func isAtStandardError() -> Bool { isatty(2) == 1 }

    /// How many characters fit on a line of it; nil where nobody knows. See ioctl_tty(2), TIOCGWINSZ.
    package static func columnsOfStandardError() -> Int? {
        let columns = cl_terminal_columns(2)
        return columns > 0 ? Int(columns) : nil
    }
}

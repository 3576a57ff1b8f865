import Foundation

/// What the kiosk was told, one line each, so that somebody can look later: the process may end at any moment.
struct Journal: Sendable {
    let file: URL

    func note(_ what: String, session: String) {
        guard let file = fopen(file.path, "a") else { return }
        fputs(#"{"told":"\#(what)","session":"\#(session)","process":\#(getpid())}"# + "\n", file)
        fclose(file)
    }
}

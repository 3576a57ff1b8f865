import SessionDomain
import SystemCalls

/// Opens pages in a headless Chromium; what it saw of each is kept below `.build/pages` for people to look at.
package enum PageViewer {
    package struct Broken: Error {
        package let reason: String
    }

    /// What a test says where it cannot run: a page that nobody opened is not a page that works.
    package static let needed = "needs Chromium on the path (Debian: apt-get install chromium): no page was opened"

    package static let isThere = ["chromium", "chromium-browser", "google-chrome"].contains { name in
        ["/usr/bin/", "/usr/local/bin/", "/snap/bin/"].contains { ((try? FileStatus.of($0 + name)) ?? nil) != nil }
    }

    /// Screenshots, prints and the pages themselves.
    package static let folder = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/.build/pages"

    /// Opens the pages one after the other in one browser.
    ///
    /// - Parameter pages: a name, of letters and hyphens, for the files that are kept, and the whole page.
    package static func look(at pages: [(name: String, html: String)]) throws -> [ViewedPage] {
        _ = try ChildProcess.run(
            path: "/bin/mkdir", arguments: ["mkdir", "-p", folder], limitMilliseconds: 10_000, outputLimit: 0)
        let paths = try pages.map { page in
            let path = "\(folder)/\(page.name).html"
            try FileSystem.remove(path)
            try FileDescriptor(opening: path, .createNew).write(Array(page.html.utf8))
            return path
        }
        let (end, output) = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", ServerProgram.path(of: "PageViewer"), folder] + paths,
            limitMilliseconds: 120_000, outputLimit: 64 << 20)
        let lines = output.split(separator: UInt8(ascii: "\n"))
        guard end == .exited(0), lines.count == pages.count else {
            throw Broken(reason: "the page viewer ended with \(end) after \(lines.count) of \(pages.count) pages")
        }
        return try lines.map { ViewedPage(try JSONValue.parse(Array($0))) }
    }

    package static func look(at html: String, name: String) throws -> ViewedPage {
        guard let page = try look(at: [(name, html)]).first else { throw Broken(reason: "no page") }
        return page
    }
}

/// What a browser saw of a page.
package struct ViewedPage: Sendable {
    package let title: String
    /// As a person reads it.
    package let text: String
    /// What was logged as an error or a warning, and exceptions.
    package let console: [String]
    /// Addresses that were asked for, beside the page itself; `data:` is none.
    package let requests: [String]
    package let pictures: Int
    /// Pictures that could not be shown.
    package let broken: Int
    /// It is wider than the window.
    package let isTooWide: Bool
    /// Of a picture of the whole page, and of a PDF.
    package let screenshot: String
    package let print: String
    package let printedPages: Int

    init(_ json: JSONValue) {
        title = json["title"]?.asString ?? ""
        text = json["text"]?.asString ?? ""
        console = json["console"]?.asArray?.compactMap(\.asString) ?? []
        requests = json["requests"]?.asArray?.compactMap(\.asString) ?? []
        pictures = json["pictures"]?.asInt ?? 0
        broken = json["broken"]?.asInt ?? 0
        isTooWide = json["overflow"]?.asBool ?? true
        screenshot = json["screenshot"]?.asString ?? ""
        print = json["print"]?.asString ?? ""
        printedPages = json["printed_pages"]?.asInt ?? 0
    }

    /// What no page of ours does; empty when it is one that a person can be given.
    package var problems: [String] {
        console.map { "console: \($0)" } + requests.map { "request: \($0)" }
            + (broken > 0 ? ["\(broken) pictures are not shown"] : []) + (isTooWide ? ["it is wider than the window"] : [])
            + (title.isEmpty ? ["it has no title"] : []) + (printedPages == 0 ? ["it does not print"] : [])
    }
}

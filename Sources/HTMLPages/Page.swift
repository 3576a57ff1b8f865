/// A self-contained page: it names no other address, runs nothing, and is printed as it is shown. Its parts are handed out one after the
/// other, so that what is large need not be in memory at once.
package struct Page: Sendable {
    private let title: String
    private let style: Markup

    /// - Parameter style: what the page adds to the common style.
    package init(title: String, style: Markup = "") {
        self.title = title
        self.style = style
    }

    package var head: Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="icon" href="data:,">
        <title>\(title)</title>
        <style>\(Self.common)\(style)</style>
        </head>
        <body>
        <h1>\(title)</h1>

        """
    }

    package var tail: Markup { "\n</body>\n</html>\n" }

    /// The whole page around its body.
    package func text(_ body: Markup) -> String { (head + body + tail).text }

    private static let common: Markup = """
        :root { color-scheme: light; --ink: #1c2330; --soft: #5b6575; --line: #d5dae1; --fill: #2f6db5; --bad: #b3261e; }
        * { box-sizing: border-box; }
        body { font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink); background: #fff; max-width: 62rem; margin: 2rem auto; padding: 0 1.25rem; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
        h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
        p, dl { margin: .5rem 0; }
        .soft { color: var(--soft); }
        .bad { color: var(--bad); font-weight: 600; }
        table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
        th { font-weight: 600; color: var(--soft); }
        td.number, th.number { text-align: right; }
        code { font: .87em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        figure { margin: 0 0 1rem; break-inside: avoid; }
        img, svg { max-width: 100%; height: auto; }
        @media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
        """
}

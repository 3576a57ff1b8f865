import HTMLPages
import SessionDomain

extension EvidenceReport {
    /// What is not in the archive, and why.
    var leftOut: Markup {
        if content.leftOut.isEmpty { return "" }
        if content.isRedacted {
            return """
                <section><h2>What is not here</h2>
                <p>This file is redacted: \(content.leftOut.count) originals, pages, requests and answers are left out, and every private \
                half is left sealed. <code>left-out.jsonl</code> names them.</p></section>

                """
        }
        let rows = content.leftOut.map { left -> Markup in "<tr><td><code>\(left.entry)</code></td><td>\(left.why)</td></tr>" }
        return """
            <section><h2>What is not here</h2>
            <table><thead><tr><th>File</th><th>Why</th></tr></thead><tbody>\(rows.joined(by: "\n"))</tbody></table></section>

            """
    }

    func writeProof<Failure: Error>(
        _ source: ReportSource<Failure>, to output: (Markup) throws(Failure) -> Void
    ) throws(Failure) {
        let signed: Markup
        if let proof = content.proof {
            signed = """
                <p>Every event above is in the ledger's Merkle tree (RFC 6962). The tree held \(proof.treeSize) events when this \
                checkpoint was signed; the path from each event to its root is in <code>proof/inclusion.jsonl</code>.</p>
                <dl class="facts"><dt>Tree size</dt><dd>\(proof.treeSize)</dd><dt>Root</dt><dd><code>\(proof.root)</code></dd>\
                <dt>Signed by</dt><dd><code>\(proof.key)</code></dd></dl>
                <pre>\(proof.note)</pre>
                <p>Compare the key with the one that the ledger's owner has published: a file can name any key.</p>

                """
        } else {
            signed = "<p class=\"bad\">There is no signed checkpoint with this export.</p>\n"
        }
        try output(
            """
            <section><h2>Proof</h2>
            \(signed)<p>To check all of it, without the ledger and without a network: <code>capture-ledger audit verify-export FILE --key KEY</code>.</p>
            <table class="narrow"><thead><tr><th class="number">Position</th><th>Leaf hash</th></tr></thead>
            <tbody>
            """)
        try source.forEachEvent { (event) throws(Failure) in
            let (position, leaf) = (event.record.position, event.record.leaf.hex)
            try output("<tr><td class=\"number\">\(position)</td><td><code>\(leaf)</code></td></tr>\n")
        }
        try output("</tbody></table></section>\n\n")
    }
}

/// "Did you mean 'x'?" when something close is known, else the list of what is.
func suggestion(for word: String, among known: [String]) -> String {
    let closest = known.map { ($0, editDistance(word, $0)) }.min { $0.1 < $1.1 }
    if let closest, closest.1 <= max(closest.0.count > 3 ? 2 : 1, closest.0.count / 3) { return "Did you mean '\(closest.0)'?" }
    return "Known are: \(known.joined(separator: ", "))."
}

/// Levenshtein's distance.
private func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right.utf8)
    var row = Array(0...right.count)
    for (i, a) in left.utf8.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
            diagonal = above
        }
    }
    return row[right.count]
}

extension [Header] {
    /// Two lengths that differ, one that is no number, or one that is not the body's: whoever reads only one of them reads
    /// another message. A length beside chunks is another one too: RFC 9112, 6.3, has it handled as an error. libcurl accepts
    /// the first as it is (measured with 7.88.1), and with a chunked body the last.
    func contradict(bodyBytes: Int) -> Bool {
        let lengths = Set(
            filter { $0.name.trimmingBlanks.lowercased() == "content-length" }.flatMap { header in
                header.value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingBlanks }
            })
        guard let length = lengths.first else { return false }
        if contains(where: { $0.name.lowercased() == "transfer-encoding" }) { return true }
        guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return true }
        // the body is given decoded, its length is told as it was sent
        let isPlain = !contains { $0.name.lowercased() == "content-encoding" && $0.value.trimmingBlanks != "identity" }
        return isPlain && Int(length) != bodyBytes
    }

    /// The last field of that name, any letter case, without blanks around its value.
    package func last(named name: String) -> String? {
        last { $0.name.lowercased() == name }.map { String($0.value.trimmingBlanks) }
    }
}

extension StringProtocol {
    /// Without spaces and tabs at either end.
    var trimmingBlanks: SubSequence {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}

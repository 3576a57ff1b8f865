extension String {
    /// As a sentence: with a full stop, and a capital letter unless it begins with what is no word, such as a file's name.
    package var asSentence: String {
        let isWord = prefix { $0 != " " }.allSatisfy(\.isLetter)
        return (isWord ? prefix(1).uppercased() + dropFirst() : self) + (hasSuffix(".") ? "" : ".")
    }
}

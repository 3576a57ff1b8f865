/// RFC 4648 §4: with padding, no line breaks. Readers of large media have a faster one.
enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func of(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let left = bytes.endIndex - index
            let first = bytes[index]
            let second = left > 1 ? bytes[index + 1] : 0
            let third = left > 2 ? bytes[index + 2] : 0
            text.append(alphabet[Int(first >> 2)])
            text.append(alphabet[Int((first & 3) << 4 | second >> 4)])
            text.append(left > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
            text.append(left > 2 ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return text
    }
}

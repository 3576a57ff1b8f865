/// The orientation tag of an EXIF block (a TIFF header and its first directory).
///
/// Only IFD0 is read and no offset in it is followed, so that directories that point at each other cannot loop. EXIF 2.32,
/// tag 0x0112, a SHORT; a LONG is forgiven. Anything else that does not parse says nothing.
enum EXIFOrientation {
    /// 1 to 8; other numbers as written; nil where there is no tag.
    static func read(_ block: [UInt8]) -> Int? {
        guard block.count >= 14 else { return nil }
        let little: Bool
        switch (block[0], block[1]) {
        case (0x49, 0x49): little = true
        case (0x4D, 0x4D): little = false
        default: return nil
        }
        func u16(_ at: Int) -> Int {
            let (first, second) = (Int(block[at]), Int(block[at + 1]))
            return little ? first | second << 8 : first << 8 | second
        }
        func u32(_ at: Int) -> Int {
            let (first, second) = (u16(at), u16(at + 2))
            return little ? first | second << 16 : first << 16 | second
        }
        guard u16(2) == 42 else { return nil }
        let directory = u32(4)
        guard directory >= 8, directory <= block.count - 2 else { return nil }
        var entry = directory + 2
        for _ in 0..<u16(directory) {
            guard entry <= block.count - 12 else { return nil }
            if u16(entry) == 0x0112 {
                guard u32(entry + 4) == 1 else { return nil }
                switch u16(entry + 2) {
                case 3: return u16(entry + 8)
                case 4: return u32(entry + 8)
                default: return nil
                }
            }
            entry += 12
        }
        return nil
    }
}

extension SniffedMedia {
    /// Takes over what an EXIF block says; a number that is no orientation is flagged and read as upright.
    mutating func orient(byEXIF block: [UInt8]) {
        guard let value = EXIFOrientation.read(block) else { return }
        if (1...8).contains(value) { orient(value) } else { flag(.orientationInvalid) }
    }
}

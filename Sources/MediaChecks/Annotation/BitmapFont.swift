/// A font of five columns by nine rows, the last two below the line. Drawn for this project.
enum BitmapFont {
    static let width = 5
    static let height = 9
    /// Rows of a capital letter.
    static let capHeight = 7

    /// Whether the glyph has ink there; characters without a glyph are drawn as a question mark.
    static func hasInk(_ character: Character, column: Int, row: Int) -> Bool {
        guard character != " " else { return false }
        let glyph = glyphs[character] ?? unknown
        return glyph >> UInt64(44 - (row * width + column)) & 1 == 1
    }

    private static let unknown: UInt64 = 0x0E88_4440_1000

    /// Forty-five bits, row after row, the first column of the first row uppermost.
    private static let glyphs: [Character: UInt64] = [
        "A": 0x0E8C_7F18_C400, "B": 0x1E8C_7D18_F800, "C": 0x0E8C_2108_B800, "D": 0x1E8C_6318_F800,
        "E": 0x1F84_3D08_7C00, "F": 0x1F84_3D08_4000, "G": 0x0E8C_2F18_B800, "H": 0x118C_7F18_C400,
        "I": 0x0E21_0842_3800, "J": 0x0710_8429_3000, "K": 0x1195_3149_4400, "L": 0x1084_2108_7C00,
        "M": 0x11DD_6B18_C400, "N": 0x11CD_6B38_C400, "O": 0x0E8C_6318_B800, "P": 0x1E8C_7D08_4000,
        "Q": 0x0E8C_6359_3400, "R": 0x1E8C_7D49_4400, "S": 0x0F84_1C10_F800, "T": 0x1F21_0842_1000,
        "U": 0x118C_6318_B800, "V": 0x118C_62A5_1000, "W": 0x118C_6B5D_C400, "X": 0x118A_88A8_C400,
        "Y": 0x118A_8842_1000, "Z": 0x1F08_8888_7C00, "a": 0x0003_82F8_BC00, "b": 0x1087_A318_F800,
        "c": 0x0003_A308_B800, "d": 0x010B_E318_BC00, "e": 0x0003_A3F8_3800, "f": 0x0642_3C84_2000,
        "g": 0x0003_E318_BC2E, "h": 0x1087_A318_C400, "i": 0x0403_0842_3800, "j": 0x0201_8421_084C,
        "k": 0x1084_A98A_4800, "l": 0x0C21_0842_3800, "m": 0x0006_AB5A_D400, "n": 0x0007_A318_C400,
        "o": 0x0003_A318_B800, "p": 0x0007_A318_FA10, "q": 0x0003_E318_BC21, "r": 0x0005_B308_4000,
        "s": 0x0003_E0E0_F800, "t": 0x0847_9084_1800, "u": 0x0004_6318_BC00, "v": 0x0004_6315_1000,
        "w": 0x0004_6B5A_A800, "x": 0x0004_5445_4400, "y": 0x0004_6318_BC2E, "z": 0x0007_C444_7C00,
        "_": 0x0000_0000_03E0, "-": 0x0000_1C00_0000, "0": 0x0E8C_EB98_B800, "1": 0x0461_0842_3800,
        "2": 0x0E88_4444_7C00, "3": 0x1E08_5C10_F800, "4": 0x0232_A5F1_0800, "5": 0x1F87_8218_B800,
        "6": 0x0E84_3D18_B800, "7": 0x1F08_8842_1000, "8": 0x0E8C_5D18_B800, "9": 0x0E8C_5E10_B800,
        ".": 0x0000_0000_1000, ",": 0x0000_0002_1100, ":": 0x0001_0002_0000, "/": 0x0108_8888_4000,
        "%": 0x19C8_8889_CC00, "(": 0x0221_0842_0800, ")": 0x0821_0842_2000, "+": 0x0021_3E42_0000,
        "=": 0x0007_C1F0_0000, "!": 0x0421_0840_1000, "≥": 0x0820_8880_7C00, "≤": 0x0222_0820_7C00,
        "✓": 0x0008_E5A6_1000, "✗": 0x008A_88A8_8000, "?": 0x0E88_4440_1000, "<": 0x0011_1041_0000,
    ]
}

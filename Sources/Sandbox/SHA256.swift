/// SHA-256 (FIPS 180-4), streaming. The sandbox has its own so that it judges the product's digests independently.
package struct SHA256 {
    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
    )
    private var schedule: [UInt32] = Array(repeating: 0, count: 64)
    private var word: UInt32 = 0
    private var length: UInt64 = 0

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        let count = bytes.count
        var index = 0
        while index < count, length & 63 != 0 {
            append(bytes[index])
            index &+= 1
        }
        while count &- index >= 64 {
            var t = 0
            while t < 16 {
                schedule[t] =
                    UInt32(bytes[index]) &<< 24 | UInt32(bytes[index &+ 1]) &<< 16 | UInt32(bytes[index &+ 2]) &<< 8
                    | UInt32(bytes[index &+ 3])
                index &+= 4
                t &+= 1
            }
            length &+= 64
            compress()
        }
        while index < count {
            append(bytes[index])
            index &+= 1
        }
    }

    package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    package mutating func append(_ byte: UInt8) {
        word = word &<< 8 | UInt32(byte)
        length &+= 1
        if length & 3 == 0 {
            schedule[Int(truncatingIfNeeded: length &- 1) >> 2 & 15] = word
            if length & 63 == 0 { compress() }
        }
    }

    /// The 32 bytes of the digest of everything so far.
    package consuming func finish() -> [UInt8] {
        let bits = length &* 8
        append(0x80)
        while length & 63 != 56 { append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
        let (a, b, c, d, e, f, g, h) = state
        return [a, b, c, d, e, f, g, h].flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private mutating func compress() {
        var (a, b, c, d, e, f, g, h) = state
        var t = 16
        while t < 64 {
            let x = schedule[t &- 15]
            let y = schedule[t &- 2]
            let s0 = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ x &>> 3
            let s1 = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ y &>> 10
            schedule[t] = schedule[t &- 16] &+ s0 &+ schedule[t &- 7] &+ s1
            t &+= 1
        }
        t = 0
        while t < 64 {
            let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ s1 &+ choice &+ Self.constants[t] &+ schedule[t]
            let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            h = g
            g = f
            f = e
            e = d &+ first
            d = c
            c = b
            b = a
            a = first &+ s0 &+ majority
            t &+= 1
        }
        state = (
            state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f, state.6 &+ g, state.7 &+ h
        )
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

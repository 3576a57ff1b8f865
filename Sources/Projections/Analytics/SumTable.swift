/// Sums by key, in a table with open addressing: a session adds to some twenty of them.
struct SumTable {
    private(set) var keys: [DailySums.Key] = []
    private(set) var counts: [DailySums.Counts] = []
    /// Places in `keys` from 1 on, 0 where there is none; a power of two, at most half full.
    private var slots: [Int32] = [Int32](repeating: 0, count: 64)

    var count: Int { keys.count }

    mutating func add(_ more: DailySums.Counts, to key: DailySums.Key) {
        let mask = slots.count - 1
        var slot = key.mixed & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if keys[index] == key {
                counts[index] = counts[index] &+ more
                return
            }
            slot = (slot + 1) & mask
        }
        keys.append(key)
        counts.append(more)
        slots[slot] = Int32(keys.count)
        if keys.count * 2 > slots.count { grow() }
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (index, key) in keys.enumerated() {
            var slot = key.mixed & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(index + 1)
        }
    }
}

extension DailySums.Key {
    /// Its bits, well mixed (the finalizer of MurmurHash3). Nobody chooses keys to make them meet: what is added is bounded by the log.
    fileprivate var mixed: Int {
        var bits = UInt64(truncatingIfNeeded: third) &* 0x9E37_79B9_7F4A_7C15
        bits ^= UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
        bits ^= UInt64(table) << 24 | UInt64(piece) << 56
        bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
        bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return Int(truncatingIfNeeded: (bits ^ bits >> 33) >> 1)
    }
}

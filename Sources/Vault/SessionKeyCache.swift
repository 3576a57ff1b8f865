/// Keys that were unwrapped lately. Two generations stand in for an exact order of use: when the young one is full it becomes the
/// old one, and what was not used meanwhile is forgotten.
struct SessionKeyCache {
    private let half: Int
    private var young: [Int64: SessionKey] = [:]
    private var old: [Int64: SessionKey] = [:]

    init(capacity: Int) { half = max(1, capacity / 2) }

    subscript(number: Int64) -> SessionKey? {
        mutating get {
            if let key = young[number] { return key }
            guard let key = old[number] else { return nil }
            insert(key)
            return key
        }
    }

    mutating func insert(_ key: SessionKey) {
        if young.count >= half {
            old = young
            young = [:]
        }
        young[key.number] = key
    }

    mutating func remove(_ number: Int64) -> SessionKey? {
        let fromOld = old.removeValue(forKey: number)
        return young.removeValue(forKey: number) ?? fromOld
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}

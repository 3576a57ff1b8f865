import Cryptography

/// Keys that were unwrapped lately. Two generations stand in for an exact order of use: when the young one is full it becomes the
/// old one, and what was not used meanwhile is forgotten.
struct SessionKeyCache {
    private let half: Int
    private var young: [Int64: SessionKey] = [:]
    private var old: [Int64: SessionKey] = [:]
    /// Keys that were made by this process and that no session has taken yet: they need not be read back and unwrapped.
    private var fresh: [Int64: SecretKey] = [:]

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
            young = Dictionary(minimumCapacity: half)
        }
        young[key.number] = key
    }

    mutating func keep(_ made: [(number: Int64, secret: SecretKey)]) {
        for key in made { fresh[key.number] = key.secret }
    }

    mutating func takeFresh(_ number: Int64) -> SecretKey? { fresh.removeValue(forKey: number) }

    mutating func remove(_ number: Int64) -> SessionKey? {
        fresh[number] = nil
        let fromOld = old.removeValue(forKey: number)
        return young.removeValue(forKey: number) ?? fromOld
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
        fresh = [:]
    }
}

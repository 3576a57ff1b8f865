/// How often something lay below each of rising borders. A percentile is the largest value of the bucket that holds it: at least
/// so many took at most so long.
package struct Histogram: Sendable, Hashable {
    private var buckets: [(below: Int64, times: Int64)] = []
    package private(set) var count: Int64 = 0

    package init() {}

    package static func == (left: Self, right: Self) -> Bool {
        left.buckets.elementsEqual(right.buckets) { $0.below == $1.below && $0.times == $1.times }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(count) }

    package mutating func add(below border: Int64, times: Int64) {
        guard times > 0 else { return }
        count += times
        if let index = buckets.firstIndex(where: { $0.below >= border }) {
            if buckets[index].below == border {
                buckets[index].times += times
            } else {
                buckets.insert((border, times), at: index)
            }
        } else {
            buckets.append((border, times))
        }
    }

    /// By nearest rank; nil for an empty one.
    ///
    /// - Parameter percent: 1 to 100.
    package func percentile(_ percent: Int64) -> Int64? {
        guard count > 0 else { return nil }
        let rank = max(1, (count * percent + 99) / 100)
        var seen: Int64 = 0
        for bucket in buckets {
            seen += bucket.times
            if seen >= rank { return bucket.below - 1 }
        }
        return buckets.last.map { $0.below - 1 }
    }
}

import SQLite

/// Puts delivery rows, which come session by session, into the order of their numbers. A session's deliveries lie behind its first event,
/// so what lies before the first event of the newest session can go. It belongs to one thread at a time.
final class DeliveryOrder {
    /// Rows and where each of them lies.
    final class Rows {
        let packed = PackedRows()
        private(set) var places: [Place] = []

        func removeAll() {
            packed.removeAll()
            places.removeAll(keepingCapacity: true)
        }

        /// Adds one row.
        func add(_ number: Int64, _ body: (PackedRows) -> Void) {
            let start = packed.byteCount
            body(packed)
            places.append(Place(number: number, start: start, end: packed.byteCount))
        }

        fileprivate func add(_ place: Place, of rows: Rows) {
            add(place.number) { $0.append(rows.packed, place.start..<place.end) }
        }
    }

    struct Place {
        let number: Int64
        let start: Int
        let end: Int
    }

    /// Rows that still wait for those before them.
    private(set) var waiting = Rows()
    private var spare = Rows()
    private let ready = PackedRows()
    private var lastReady: Int64 = 0
    private let most: Int

    /// - Parameter most: rows that may wait.
    init(most: Int) { self.most = most }

    /// Takes in the rows of a page of sessions.
    ///
    /// - Parameter first: the position of the first event of these sessions; those that come later begin behind it.
    /// - Returns: the rows that can go, or nil when the order is lost: too many wait, or one is late. Nothing was taken in then.
    func add(_ rows: Rows, first: Int64) -> PackedRows? {
        let arriving = rows.places.sorted { $0.number < $1.number }
        if let least = arriving.first?.number, least <= lastReady { return nil }
        let going = waiting.places.prefix { $0.number < first }
        guard waiting.places.count - going.count + arriving.count <= most else { return nil }
        ready.removeAll()
        for place in going { ready.append(waiting.packed, place.start..<place.end) }
        lastReady = going.last?.number ?? lastReady
        merge(waiting.places.dropFirst(going.count), rows, arriving)
        return ready
    }

    private func merge(_ staying: ArraySlice<Place>, _ rows: Rows, _ arriving: [Place]) {
        var (left, right) = (staying, arriving[...])
        spare.removeAll()
        while let place = left.first ?? right.first {
            if let other = right.first, left.isEmpty || other.number < place.number {
                spare.add(other, of: rows)
                right.removeFirst()
            } else {
                spare.add(place, of: waiting)
                left.removeFirst()
            }
        }
        swap(&waiting, &spare)
    }
}

/// What is to happen, in order of time and, at one time, in the order in which it was put down.
struct Agenda {
    enum Happening {
        case start(worker: Int)
        case wake(process: Int, turn: Int)
        case arrival(flight: Int)
        case answer(flight: Int)
        case client(Int)
        case operate
        case signal(process: Int)
        case kill(process: Int)
        case hang(process: Int)
        case loseLock(process: Int)
        case begin(span: Int)
        case end(span: Int)
        case clockStep(Int)
        case credential(server: Int, isKnown: Bool)
        case reboot(Int)
        case heal
    }

    private struct Entry {
        let time: Int64
        let order: UInt64
        let happening: Happening

        func isBefore(_ other: Entry) -> Bool { time != other.time ? time < other.time : order < other.order }
    }

    private var heap: [Entry] = []
    private var order: UInt64 = 0

    var nextTime: Int64? { heap.first?.time }

    mutating func add(_ happening: Happening, at time: Int64) {
        order += 1
        heap.append(Entry(time: time, order: order, happening: happening))
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].isBefore(heap[parent]) else { break }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    mutating func next() -> (time: Int64, happening: Happening)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var index = 0
            while true {
                var least = index
                for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                    least = child
                }
                if least == index { break }
                heap.swapAt(index, least)
                index = least
            }
        }
        return (first.time, first.happening)
    }
}

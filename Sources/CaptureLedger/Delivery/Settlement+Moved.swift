import DeliveryMachine

// A run's clock goes on without a jump while stored times follow the wall clock: these carry times from one to the other.

extension Settlement {
    func moved(by offset: Int64) -> Settlement {
        if offset == 0 { return self }
        var moved = self
        moved.work.firstSentAtMilliseconds = work.firstSentAtMilliseconds.map { $0 + offset }
        if case .waiting(let until, let because) = state {
            moved.state = .waiting(untilMilliseconds: until + offset, because: because)
        }
        moved.attempt?.startedAtMilliseconds += offset
        moved.attempt?.finishedAtMilliseconds += offset
        moved.destinationChanges = destinationChanges.map { $0.moved(by: offset) }
        return moved
    }
}

extension DestinationChange {
    func moved(by offset: Int64) -> DestinationChange {
        switch self {
        case .pause(let pause): .pause(pause.moved(by: offset))
        case .breaker(let breaker): .breaker(breaker?.moved(by: offset))
        case .lastDeliveredAt(let time): .lastDeliveredAt(milliseconds: time + offset)
        case .resume, .contractBreakWitness, .failuresInARow: self
        }
    }
}

extension DestinationState {
    func moved(by offset: Int64) -> DestinationState {
        var moved = self
        moved.pause = pause?.moved(by: offset)
        moved.breaker = breaker?.moved(by: offset)
        moved.lastDeliveredAtMilliseconds = lastDeliveredAtMilliseconds.map { $0 + offset }
        return moved
    }
}

extension DestinationPause {
    fileprivate func moved(by offset: Int64) -> DestinationPause {
        var moved = self
        moved.sinceMilliseconds += offset
        moved.probeAtMilliseconds = probeAtMilliseconds.map { $0 + offset }
        return moved
    }
}

extension Breaker {
    fileprivate func moved(by offset: Int64) -> Breaker {
        var moved = self
        moved.untilMilliseconds += offset
        return moved
    }
}

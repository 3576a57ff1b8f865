import Sync

/// The other thread of a process, in steps: what the run does meanwhile comes before a step's effect, behind it, both, or not at all.
final class SteppedAside: Aside {
    private unowned let world: World

    init(_ world: World) { self.world = world }

    func run(_ work: @escaping () -> Void, meanwhile: () -> Bool) {
        let (before, after) = world.drawMeanwhile()
        let goesOn = before ? meanwhile() : true
        work()
        if after, goesOn { _ = meanwhile() }
    }
}

extension World {
    func drawMeanwhile() -> (before: Bool, after: Bool) {
        (runChance.happens(400_000), runChance.happens(400_000))
    }

    /// How many of so many answers a turn begins with: the others are heard in the middle of it, or in the next.
    func drawHeard(of count: Int) -> Int {
        count > 1 && runChance.happens(400_000) ? 1 + runChance.below(count - 1) : count
    }
}

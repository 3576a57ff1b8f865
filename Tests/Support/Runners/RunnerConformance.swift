package import MediaChecks

/// What every model runner promises, as checks that name what broke.
package enum RunnerConformance {
    /// - Parameters:
    ///   - path: of a model with the shapes that follow.
    ///   - nowhere: a path where no model is.
    /// - Returns: the promises that were broken; none for a conforming runner.
    package static func broken(
        _ runner: any CheckModelRunner, _ path: String, input: [Int], outputs: [[Int]], nowhere: String
    ) -> [String] {
        var broken: [String] = []
        func check(_ holds: Bool, _ promise: String) { if !holds { broken.append(promise) } }
        func code(_ body: () throws(ModelFault) -> Void) -> ModelFault.Code? {
            do throws(ModelFault) {
                try body()
                return nil
            } catch {
                check(!error.message.isEmpty && !error.remedy.isEmpty, "a fault says what to do")
                return error.code
            }
        }

        check(code { () throws(ModelFault) in _ = try runner.load(nowhere) } == .notReady, "no file is not_ready")
        do throws(ModelFault) {
            let count = input.reduce(1, *)
            let values = FloatTensor(shape: input, values: (0..<count).map { Float($0 % 255) / 255 })
            let model = try runner.load(path)
            let first = try model.run(values, outputs: [0])
            check(first.map(\.shape) == [outputs[0]], "output 0 has its shape")
            check(try model.run(values, outputs: [0]) == first, "the same input gives the same numbers")
            let all = try model.run(values, outputs: Array(outputs.indices))
            check(all.map(\.shape) == outputs, "every output is there by its number")
            check(
                try model.run(values, outputs: Array(outputs.indices.reversed())) == all.reversed(),
                "outputs come as they are asked for")
            check(all.first == first.first, "output 0 is the same alone and among others")
            check(try model.run(values, outputs: []).isEmpty, "nothing asked for, nothing given")

            let short = FloatTensor(shape: [1, count - 1], values: Array(values.values.dropLast()))
            check(
                code { () throws(ModelFault) in _ = try model.run(short, outputs: [0]) } == .wrongShape,
                "a short input is wrong_shape")
            let beyond = code { () throws(ModelFault) in _ = try model.run(values, outputs: [outputs.count]) }
            check(beyond == .wrongShape || beyond == .failed, "an output that is not there is refused")
            check(
                code { () throws(ModelFault) in _ = try model.run(values, outputs: [-1]) } != nil, "nor is there an output -1")
            check(try model.run(values, outputs: [0]) == first, "refusals change nothing")

            let other = try runner.load(path)
            check(try other.run(values, outputs: [0]) == first, "a second load gives the same numbers")
            check(try model.run(values, outputs: [0]) == first, "two loaded models do not meet")
        } catch { broken.append("\(error.code): \(error.message)") }
        return broken
    }
}

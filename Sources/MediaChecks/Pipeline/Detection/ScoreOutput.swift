/// The output of a classifier: one score a class, `[1, classes]`.
package enum ScoreOutput {
    /// - Returns: the scores by class, in the descriptor's order.
    /// - Throws: `wrong_shape` when there are not as many as classes, `failed` when one is no number between 0 and 1.
    package static func scores(_ tensor: FloatTensor, classes: Int) throws(ModelFault) -> [Double] {
        guard classes > 0, tensor.values.count == classes, tensor.shape.last == classes else {
            throw ModelFault(
                .wrongShape,
                message:
                    "The classifier's output has the shape \(tensor.shape), not one score for each of \(classes) classes.",
                remedy: "Correct class_names in the model's descriptor, or install the model that it describes.")
        }
        for value in tensor.values {
            guard value.isFinite, value >= -1e-3, value <= 1 + 1e-3 else {
                throw ModelFault(
                    .failed, message: "The classifier gave a score that does not lie between 0 and 1.",
                    remedy: "Install a model whose last layer gives probabilities.")
            }
        }
        return tensor.values.map { min(1, max(0, Double($0))) }
    }
}

package import MediaChecks

/// Runs models in this process with TensorFlow Lite, on the processor's vector units (XNNPACK). The same input gives the same numbers to
/// the bit, whatever the number of threads.
package struct TensorFlowLite: CheckModelRunner {
    package let library: TensorFlowLiteLibrary
    private let threads: Int

    /// - Parameters:
    ///   - path: of the library; nil: looked for, see ``TensorFlowLiteLibrary/places(environment:program:)``.
    ///   - threads: for each loaded model, 1 to 64.
    /// - Throws: `not_ready` without a library that fits.
    package init(library path: String? = nil, threads: Int = 1) throws(ModelFault) {
        library = try TensorFlowLiteLibrary(path: path)
        self.threads = min(max(threads, 1), 64)
    }

    package func load(_ path: String) throws(ModelFault) -> any LoadedCheckModel { try runnable(path) }

    package func runnable(_ path: String) throws(ModelFault) -> any RunnableModel {
        try TensorFlowLiteModel(library, path: path, threads: threads)
    }
}

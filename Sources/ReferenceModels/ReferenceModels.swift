/// The models that come with the project.
package enum ReferenceModels {
    /// Their folder, in a source tree.
    package static let sourceFolder = "Sources/ReferenceModels/Resources"
}

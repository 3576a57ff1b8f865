package import MediaChecks

/// A loaded model that knows what it takes.
package protocol RunnableModel: LoadedCheckModel {
    var inputShape: [Int] { get }
}

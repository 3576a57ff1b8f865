// What explains, reports and finds for people runs beside the statements of EventStorage.

extension SchemaFiles {
    package static var attemptErrorsSince: [UInt8] { PackageResources.attempt_errors_since_sql }
    package static var erasureWindowOfSession: [UInt8] { PackageResources.erasure_window_of_session_sql }
}

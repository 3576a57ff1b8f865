/// The SQL of the product, one statement or migration a file, embedded in the binary. The accessors stand in one file for each
/// module that runs them.
package enum SchemaFiles {
    /// A numbered, frozen change of the schema. Its first line names the oldest versions that may read and write afterwards.
    package struct Migration: Sendable {
        package let version: Int
        package let name: String
        package let sql: [UInt8]
    }

    /// In order; the last one's number is the schema version that this build writes.
    package static var migrations: [Migration] {
        [
            Migration(version: 1, name: "0001_foundation", sql: PackageResources._001_foundation_sql),
            Migration(version: 2, name: "0002_delivery", sql: PackageResources._002_delivery_sql),
            Migration(version: 3, name: "0003_proof", sql: PackageResources._003_proof_sql),
        ]
    }
}

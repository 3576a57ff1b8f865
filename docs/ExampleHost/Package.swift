// swift-tools-version: 6.2
import PackageDescription

// A host outside the project: it sees the public library alone.
let package = Package(
    name: "ExampleHost",
    dependencies: [.package(name: "CaptureLedger", path: "../..")],
    targets: [
        .executableTarget(
            name: "kiosk",
            dependencies: [
                .product(name: "CaptureLedger", package: "CaptureLedger"),
                .product(name: "CaptureLedgerSync", package: "CaptureLedger"),
            ]),
        .executableTarget(name: "onlooker", dependencies: [.product(name: "CaptureLedger", package: "CaptureLedger")]),
    ]
)

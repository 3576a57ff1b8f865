// swift-tools-version: 6.2
import PackageDescription

// The table of Sources/README.md in the order of the architecture, innermost first. A target's dependencies are what its
// row allows; ArchitectureTests compares the two.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("ExistentialAny"),
]

func module(
    _ name: String, _ dependencies: [String] = [], path: String? = nil, exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path, exclude: exclude,
        resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [String], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: "Tests/\(name)", exclude: exclude,
        swiftSettings: strict)
}

// Debian has the library where it is of use; elsewhere CIPSecMB is empty.
#if arch(x86_64)
    let multiBuffer: [LinkerSetting] = [.linkedLibrary("IPSec_MB")]
#else
    let multiBuffer: [LinkerSetting] = []
#endif

let package = Package(
    name: "CaptureLedger",
    products: [
        .library(name: "CaptureLedger", targets: ["CaptureLedger"]),
        .library(name: "CaptureLedgerSync", targets: ["CaptureLedgerSync"]),
        .library(name: "CaptureLedgerRunners", targets: ["CaptureLedgerRunners"]),
        .library(name: "CaptureLedgerTesting", targets: ["CaptureLedgerTesting"]),
        .executable(name: "capture-ledger", targets: ["capture-ledger"]),
        .executable(name: "capture-ledger-decoder", targets: ["capture-ledger-decoder"]),
    ],
    targets: [
        // C libraries: one module map and one header of shims each
        .target(name: "CSystem"),
        .target(name: "CTensorFlowLite"),
        .target(name: "CIPSecMB", linkerSettings: multiBuffer),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        // vips.pc repeats -pthread, which the package manager warns of in every build; what vips.h includes is found like this, too
        .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(
            name: "CAV", pkgConfig: "libavformat libavcodec libswscale",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev"])]),

        // the domain
        module("SessionDomain"),
        module("EventCoding", ["SessionDomain"]),
        module("MediaChecks", ["SessionDomain"]),
        module("DeliveryMachine", ["SessionDomain"]),
        module("DecoderProtocol"),
        module("StructuredLog"),
        module("HTMLPages"),

        // storage
        module("SystemCalls", ["CSystem"]),
        module("SQLite", ["CSQLite", "SystemCalls"]),
        module("SchemaFiles", path: "Schema", resources: [.embedInCode("migrations"), .embedInCode("queries")]),
        module("Cryptography", ["COpenSSL", "CIPSecMB"]),
        module("Archives", ["Cryptography", "SystemCalls"]),
        module("Vault", ["Cryptography", "SQLite", "SchemaFiles", "SystemCalls"]),
        module("EventStorage", ["SessionDomain", "EventCoding", "SQLite", "SchemaFiles", "Cryptography", "SystemCalls"]),
        module("Projections", ["SessionDomain", "EventCoding", "EventStorage", "SQLite", "SchemaFiles"]),

        // sync
        module("Outbox", ["SessionDomain", "DeliveryMachine", "EventStorage", "Projections", "SQLite", "SchemaFiles"]),
        module("Sync", ["SessionDomain", "DeliveryMachine", "StructuredLog", "SystemCalls"]),
        module("CurlTransport", ["SessionDomain", "DeliveryMachine", "CCurl"]),

        // checks
        module("MediaDecoding", ["SessionDomain", "MediaChecks", "DecoderProtocol", "SystemCalls"]),
        module("ModelRunners", ["MediaChecks", "CTensorFlowLite", "SystemCalls"]),
        module("ReferenceModels", ["SystemCalls"], exclude: ["Resources", "Training"]),

        // proof
        module(
            "Audit",
            [
                "SessionDomain", "EventCoding", "EventStorage", "Projections", "Outbox", "Vault", "DeliveryMachine",
                "MediaChecks", "Cryptography",
                "SQLite", "SchemaFiles", "SystemCalls", "HTMLPages", "Archives",
            ]),

        // the façade and its products
        module(
            "CaptureLedger",
            [
                "SessionDomain", "EventCoding", "MediaChecks", "DeliveryMachine", "StructuredLog", "SystemCalls", "SQLite",
                "SchemaFiles", "Cryptography", "Vault", "EventStorage", "Projections", "Outbox", "MediaDecoding",
                "ReferenceModels", "Audit", "Sync", "HTMLPages", "Archives",
            ]),
        module(
            "CaptureLedgerSync",
            [
                "CaptureLedger", "SessionDomain", "DeliveryMachine", "StructuredLog", "SystemCalls", "Cryptography", "Vault",
                "Sync", "CurlTransport",
            ]),
        module("CaptureLedgerRunners", ["CaptureLedger", "SessionDomain", "MediaChecks", "ModelRunners", "SystemCalls"]),
        module("CaptureLedgerTesting", ["CaptureLedger", "SessionDomain", "MediaChecks"]),

        // faces
        module("LocalHTTP", ["CMicroHTTPD"]),
        module("Sandbox", ["LocalHTTP"]),
        module(
            "Benchmarks",
            [
                "CaptureLedger", "LocalHTTP", "SessionDomain", "EventCoding", "MediaChecks", "DeliveryMachine", "MediaDecoding",
                "SystemCalls", "SQLite", "Cryptography", "Vault", "EventStorage", "Outbox",
            ]),
        module(
            "CommandLineTool",
            [
                "CaptureLedger", "CaptureLedgerSync", "CaptureLedgerRunners", "SessionDomain", "MediaChecks", "DeliveryMachine",
                "Outbox", "Sync", "StructuredLog", "SystemCalls", "MediaDecoding", "ModelRunners", "Audit", "Sandbox",
                "Benchmarks",
            ]),
        .executableTarget(name: "capture-ledger", dependencies: ["CommandLineTool"], swiftSettings: strict),
        .executableTarget(
            name: "capture-ledger-decoder", dependencies: ["CVips", "CAV", "CSystem", "DecoderProtocol"], swiftSettings: strict),

        // tests
        .target(
            name: "TestSupport",
            dependencies: [
                "CaptureLedger", "SessionDomain", "MediaChecks", "DeliveryMachine", "LocalHTTP", "SystemCalls", "Cryptography",
            ],
            path: "Tests/Support",
            exclude: [
                "CountingServer", "HostileServer", "TransportServer", "Decoding/Programs", "MisbehavingRunner", "PageViewer",
                "WitnessServer",
            ],
            swiftSettings: strict),
        .target(
            name: "Simulator", dependencies: ["DeliveryMachine", "SessionDomain", "Sync"], path: "Tests/Simulator/Simulation",
            swiftSettings: strict),
        .executableTarget(
            name: "delivery-simulator", dependencies: ["Simulator"], path: "Tests/Simulator/Command", swiftSettings: strict),
        .executableTarget(
            name: "fixed-work", dependencies: ["Benchmarks", "CaptureLedger", "SystemCalls"], path: "Tests/Bench/FixedWork",
            swiftSettings: strict),
        tests("ArchitectureTests", []),
        tests("HTMLPagesTests", ["HTMLPages"]),
        tests("SessionDomainTests", ["SessionDomain", "TestSupport"]),
        tests("EventCodingTests", ["EventCoding", "SessionDomain", "TestSupport"], exclude: ["Golden"]),
        tests("MediaChecksTests", ["MediaChecks", "SessionDomain", "TestSupport"]),
        tests("LiveScanTests", ["MediaChecks", "SessionDomain", "TestSupport"]),
        tests(
            "CheckPipelineTests",
            [
                "CaptureLedger", "CaptureLedgerRunners", "MediaChecks", "MediaDecoding", "ReferenceModels", "SessionDomain",
                "TestSupport",
            ]),
        tests("VaultTests", ["Vault", "Cryptography", "SystemCalls", "SQLite", "TestSupport"]),
        tests(
            "StorageTests",
            [
                "EventStorage", "Projections", "Outbox", "SQLite", "SchemaFiles", "EventCoding", "SessionDomain",
                "Cryptography",
                "SystemCalls", "TestSupport",
            ]),
        tests("MediaDecodingTests", ["MediaDecoding", "MediaChecks", "SessionDomain", "SystemCalls", "TestSupport"]),
        tests("DeliveryTests", ["DeliveryMachine", "CurlTransport", "Sync", "SessionDomain", "Sandbox", "TestSupport"]),
        tests(
            "TransportTests",
            [
                "CaptureLedger", "CaptureLedgerSync", "DeliveryMachine", "CurlTransport", "Sync", "SessionDomain",
                "Cryptography", "SystemCalls", "TestSupport",
            ]),
        tests(
            "HostileTests",
            [
                "CaptureLedger", "CaptureLedgerSync", "DeliveryMachine", "CurlTransport", "Sync", "SessionDomain",
                "Cryptography", "SystemCalls", "TestSupport",
            ]),
        tests("SimulationTests", ["Simulator", "DeliveryMachine"]),
        tests("SandboxTests", ["Sandbox", "LocalHTTP", "TestSupport"]),
        tests(
            "LedgerTests",
            [
                "CaptureLedger", "CaptureLedgerSync", "Sync", "DeliveryMachine", "SessionDomain", "EventCoding", "EventStorage",
                "MediaChecks", "Projections", "Outbox", "Audit", "Vault", "Cryptography", "SystemCalls", "SQLite", "Sandbox",
                "Simulator", "Archives", "CommandLineTool",
                "TestSupport",
            ]),
        tests(
            "ModelRunnerTests",
            [
                "ModelRunners", "CaptureLedgerRunners", "CaptureLedger", "CaptureLedgerTesting", "ReferenceModels",
                "MediaChecks",
                "SystemCalls", "TestSupport",
            ]),
        tests(
            "AuditTests",
            [
                "Audit", "EventStorage", "EventCoding", "Vault", "SQLite", "Cryptography", "SystemCalls", "SessionDomain",
                "TestSupport",
            ]),
        tests(
            "AnalyticsTests",
            [
                "CaptureLedger", "CaptureLedgerSync", "CommandLineTool", "SessionDomain", "MediaChecks", "DeliveryMachine",
                "EventStorage", "Outbox", "SQLite", "LocalHTTP", "SystemCalls", "TestSupport",
            ]),
        tests(
            "CommandLineToolTests",
            [
                "CommandLineTool", "CaptureLedger", "DeliveryMachine", "SessionDomain", "StructuredLog", "SystemCalls",
                "TestSupport",
            ]),
        // As a host builds: no package access, and only what the two products show.
        .testTarget(
            name: "PublicLibraryTests", dependencies: ["CaptureLedger", "CaptureLedgerSync"], packageAccess: false,
            swiftSettings: [
                .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        tests("PageTests", ["HTMLPages", "CaptureLedger", "Audit", "SessionDomain", "SystemCalls", "TestSupport"]),
        tests(
            "EvidenceTests",
            [
                "CaptureLedger", "CaptureLedgerSync", "CommandLineTool", "Sync", "DeliveryMachine", "SessionDomain",
                "MediaChecks",
                "Audit", "EventStorage", "Archives", "HTMLPages", "Cryptography", "SystemCalls", "Sandbox", "TestSupport",
            ]),
        tests("TestingLibraryTests", ["CaptureLedger", "CaptureLedgerTesting"]),
        tests("EndToEndTests", ["CaptureLedger", "Audit", "Vault", "SessionDomain", "SystemCalls", "TestSupport"]),
    ]
)

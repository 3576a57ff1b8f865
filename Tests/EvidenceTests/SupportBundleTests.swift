import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// What is given to somebody outside.
@Suite struct SupportBundleTests {
    private static let secrets = [
        "password-77aa", "path-secret-90b2", "query-token-5e5e", "header-secret-1d1d", "bearer-secret-2b2b",
        "client-id-4f4f", "scope-6c6c", "comment-secret-8a8a", "runner-secret-3e3e",
    ]

    /// Settings with something secret in every place that takes text.
    private func spoil(_ path: String) throws {
        let old = try Settings(try readFile(path + "/capture-ledger.json5"))
        let text = """
            // comment-secret-8a8a
            {
              master_key: "\(old.masterKey?.text ?? "")", tombstones: "\(old.tombstones ?? "")",
              checks: { runner: "process:/opt/runner --key runner-secret-3e3e" },
              destinations: {
                verifier: {
                  url: "https://verifier.example:8443/path-secret-90b2?key=query-token-5e5e",
                  headers: { "X-Key": "header-secret-1d1d" },
                  auth: { bearer_command: "echo bearer-secret-2b2b" },
                },
                hologram: {
                  url: "https://hologram.example/path-secret-90b2",
                  auth: {
                    oauth2: {
                      token_url: "https://login.example/path-secret-90b2", client_id: "client-id-4f4f",
                      client_secret_command: "echo password-77aa", scope: "scope-6c6c",
                    },
                  },
                },
              },
            }
            """
        try FileSystem.remove(path + "/capture-ledger.json5")
        try FileDescriptor(opening: path + "/capture-ledger.json5", .createNew).write(Array(text.utf8))
    }

    private func bundle(_ folder: String, _ ledger: Result<Ledger, LedgerError>, at path: String) throws -> SupportBundle.Report
    {
        try SupportBundle.write(
            of: folder, ledger, to: path, versions: [.init("system", .string("a test"))], environment: [:], nowMilliseconds: 1)
    }

    @Test
    func `S97 a bundle holds nothing of a person and no secret of the settings in any byte, and says how the ledger is doing`()
        throws
    {
        let scene = try Scene()
        let whole = try readFile(try scene.export())
        #expect(Scene.markers.allSatisfy { contains(whole, $0) }, "the same scan finds them in an export")
        try spoil(scene.path)
        let settings = try readFile(scene.path + "/capture-ledger.json5")
        #expect(Self.secrets.allSatisfy { contains(settings, $0) })
        var options = LedgerOptions()
        options.isReadOnly = true
        let ledger = try Ledger.open(folder: scene.path, options: options)
        defer { ledger.closeAndWait() }
        let path = scene.folder + "/bundle.tar"
        let report = try bundle(scene.path, .success(ledger), at: path)
        #expect(report.missing == [:])
        let bytes = try readFile(path)
        for marker in Scene.markers + Self.secrets + [scene.folder] { #expect(!contains(bytes, marker), "\(marker)") }
        let picture = try readFile(fixture("selfie.jpg"))[2000..<2032]
        #expect(!holds(bytes, picture) && holds(whole, picture))

        let archive = try Archive(path)
        #expect(contains(archive["settings.json"], "https://verifier.example:8443/…"))
        #expect(contains(archive["events.json"], #""type":"piece_rejected""#))
        #expect(contains(archive["attempts.json"], #""explanation":"verified""#))
        #expect(contains(archive["status.json"], #""status":"completed""#))
        #expect(contains(archive["doctor.json"], #""healthy":"#) && contains(archive["versions.json"], #""sqlite":"3."#))
        #expect(try FileStatus.of(path)?.mode == 0o600)
    }

    @Test
    func `a ledger that does not open gives a bundle that says why, and settings that cannot be read give none of their text`()
        throws
    {
        let scene = try Scene()
        let path = scene.folder + "/bundle.tar"
        try FileSystem.remove(scene.path + "/capture-ledger.json5")
        try FileDescriptor(opening: scene.path + "/capture-ledger.json5", .createNew).write(
            Array(#"{ "password-77aa": 1, kind: "bearer-secret-2b2b" }"#.utf8))
        let error = LedgerError(code: .init(rawValue: "storage_corrupt"), message: "m", remedy: "r")
        let report = try bundle(scene.path, .failure(error), at: path)
        #expect(report.missing["doctor.json"] == "storage_corrupt" && report.parts.contains("files.json"))
        let bytes = try readFile(path)
        #expect(contains(bytes, "storage_corrupt") && contains(bytes, "unknown_setting"))
        #expect(!contains(bytes, "password-77aa") && !contains(bytes, "bearer-secret-2b2b"))
    }
}

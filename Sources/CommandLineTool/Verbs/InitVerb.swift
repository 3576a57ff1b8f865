import CaptureLedger
import SessionDomain

extension Verb {
    static let initialise = Verb(
        path: ["init"], summary: "Make a ledger: one folder with its settings, events, keys and media.",
        details:
            "Without --master-key a new key is made under your configuration folder, or, with --group, in DIR.keys beside the ledger. Keep a copy of it elsewhere.",
        positionals: [Positional("DIR", "where; else --ledger, $CAPTURE_LEDGER or ./my.ledger", .optional)],
        options: [
            .value("group", "G", "a Unix group whose members may use it too"),
            .value("master-key", "KEY", "FILE, credential:NAME (systemd) or command:C (prints it)"),
        ],
        examples: [
            "capture-ledger init", "capture-ledger init /var/lib/kiosk/my.ledger --group capture",
            "capture-ledger init my.ledger --master-key credential:capture-ledger",
        ],
        exits: [.cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            if invocation.word(0) != nil, invocation.has("ledger") {
                throw Complaint.usage("DIR and --ledger were both given.", remedy: "Keep one of them.")
            }
            if invocation.word(0)?.isEmpty == true {
                throw Complaint.usage("DIR was given an empty value.", remedy: "Name a folder, or leave it out.")
            }
            let folder = invocation.word(0) ?? invocation.ledgerPath
            var options = CreateOptions(configurationFolder: try configurationFolder(invocation.environment))
            options.group = invocation.text("group")
            if let text = invocation.text("master-key") {
                guard let reference = MasterKeyReference(text) else {
                    throw Complaint.usage(
                        "--master-key names no key.", remedy: "Give a path, credential:NAME or command:C.")
                }
                options.masterKey = reference
            }
            let made = try create(folder, options)
            try console.result(
                [
                    "ledger": [
                        "path": .string(made.folder), "id": .string(made.ledgerID.text), "epoch": .string(made.epoch.text),
                        "master_key": .string(made.masterKey.text),
                    ]
                ],
                """
                Made the ledger \(made.folder).
                Its master key is \(made.masterKey.text): keep a copy elsewhere, without it nothing can be opened.
                Its settings are \(made.folder)/\(Settings.fileName).
                """)
            return .done
        })

    /// A place where no ledger can be made is one answer, whatever the system calls it.
    private static func create(_ folder: String, _ options: CreateOptions) throws -> Ledger.Created {
        do throws(LedgerError) { return try Ledger.create(folder: folder, options: options) } catch {
            let impossible = ["not_found", "already_exists", "unexpected_kind", "read_only", "system_error"]
            guard impossible.contains(error.code.rawValue) else { throw error }
            throw Complaint(
                "cannot_create", "A ledger cannot be made there: \(error.message)",
                remedy: "Name a folder that this user can make, on a disk that can be written.", exit: .cannotCreate)
        }
    }

    static func configurationFolder(_ environment: [String: String]) throws(Complaint) -> String {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw Complaint(
                "no_configuration_folder", "There is no folder for the master key: neither HOME nor XDG_CONFIG_HOME is set.",
                remedy: "Set HOME, or name a key with --master-key.", exit: .configuration)
        }
        return home + "/.config"
    }
}

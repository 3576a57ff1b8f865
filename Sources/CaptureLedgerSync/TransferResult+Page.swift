import DeliveryMachine

extension TransferResult {
    /// A page for people came: a captive portal or a proxy stands in the place of who was asked.
    var isPage: Bool {
        headers.contains { header in
            header.name.lowercased() == "content-type" && header.value.lowercased().hasPrefix("text/html")
        }
    }
}

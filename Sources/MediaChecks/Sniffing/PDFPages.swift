/// The page tree (ISO 32000-2, 7.7.3).
struct PDFPages {
    /// Nodes of the tree that may be visited before the file is refused; one page needs very few.
    static let mostNodes = 64

    private var visited = 0
    private var seen: Set<Int> = []
    private var page: SniffedMedia?

    /// The only page, with its size in points after `/Rotate`.
    static func single(_ file: inout PDFFile) throws(MediaRefusal) -> SniffedMedia {
        guard let catalog = try file.resolve(file.root).dictionary, let tree = catalog["Pages"] else {
            throw .pdfPagesUnknown("catalog")
        }
        var pages = PDFPages()
        try pages.visit(tree, &file, inherited: [:])
        guard let page = pages.page else { throw .pdfPagesUnknown("page_tree") }
        return page
    }

    private mutating func visit(
        _ value: PDFValue, _ file: inout PDFFile, inherited: [String: PDFValue], depth: Int = 0
    ) throws(MediaRefusal) {
        visited += 1
        guard visited <= Self.mostNodes, depth < 16 else { throw .pdfPagesUnknown("page_tree") }
        if let number = value.reference, !seen.insert(number).inserted { throw .pdfPagesUnknown("page_tree") }
        guard let node = try file.resolve(value).dictionary else { throw .pdfPagesUnknown("page_tree") }
        var attributes = inherited
        for key in ["MediaBox", "Rotate"] {
            if let own = node[key] { attributes[key] = own }
        }
        let kids = try file.resolve(node["Kids"]).array
        guard let kids else {
            guard node["Type"]?.name != "Pages" else { throw .pdfPagesUnknown("page_tree") }
            guard page == nil else { throw .pdfTooManyPages }
            page = try Self.measure(attributes, unit: node["UserUnit"], &file)
            return
        }
        if let count = try file.resolve(node["Count"]).integer, count > 1 { throw .pdfTooManyPages }
        for kid in kids { try visit(kid, &file, inherited: attributes, depth: depth + 1) }
    }

    private static func measure(
        _ attributes: [String: PDFValue], unit: PDFValue?, _ file: inout PDFFile
    ) throws(MediaRefusal) -> SniffedMedia {
        var corners: [Double] = []
        for corner in try file.resolve(attributes["MediaBox"]).array ?? [] {
            guard let number = try file.resolve(corner).number else { throw .mediaUnreadable("pdf_page") }
            corners.append(number)
        }
        guard corners.count == 4 else { throw .mediaUnreadable("pdf_page") }
        let scale = try file.resolve(unit).number ?? 1
        let width = abs(corners[2] - corners[0]) * scale
        let height = abs(corners[3] - corners[1]) * scale
        guard width > 0, height > 0, width <= 1_000_000, height <= 1_000_000 else { throw .mediaUnreadable("pdf_page") }
        var media = SniffedMedia(type: .pdf, width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
        let turn = try file.resolve(attributes["Rotate"]).integer ?? 0
        guard turn % 90 == 0 else { throw .mediaUnreadable("pdf_page") }
        media.rotate((turn % 360 + 360) % 360)
        return media
    }
}

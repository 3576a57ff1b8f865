/// How the rows of a table are stored.
package struct TableShape: Sendable, Equatable {
    /// The page where its tree begins.
    package let root: Int
    package let columns: Int
    /// How many columns, from the first on, are its primary key.
    package let keyColumns: Int
    /// Its only key is a whole number; else it was made WITHOUT ROWID.
    package let hasRowid: Bool

    package init(root: Int, columns: Int, keyColumns: Int, hasRowid: Bool) {
        self.root = root
        self.columns = columns
        self.keyColumns = keyColumns
        self.hasRowid = hasRowid
    }
}

/// What bringing analytics.sqlite up to date did.
package struct AnalyticsUpdate: Sendable, Equatable {
    /// Why the file was made anew.
    package enum Reason: String, Sendable, CaseIterable {
        /// There was none.
        case missing
        /// It could not be read.
        case damaged
        /// It is not one of ours.
        case foreign
        /// Another version of this program made it, with other tables.
        case otherSchema = "other_schema"
        /// It belongs to another ledger.
        case otherLedger = "other_ledger"
        /// The ledger was restored from a backup since.
        case restored
        /// It holds events that the ledger does not have.
        case ahead
        /// So much was new that it is made faster than changed.
        case farBehind = "far_behind"
        /// Somebody asked for it.
        case asked

        /// For people.
        package var sentence: String {
            switch self {
            case .missing: "there was no analytics.sqlite"
            case .damaged: "analytics.sqlite was damaged"
            case .foreign: "analytics.sqlite was not a file of this program"
            case .otherSchema: "analytics.sqlite was made by another version"
            case .otherLedger: "analytics.sqlite belonged to another ledger"
            case .restored: "the ledger was restored since"
            case .ahead: "analytics.sqlite held events that the ledger does not"
            case .farBehind: "analytics.sqlite was far behind"
            case .asked: "it was asked for"
            }
        }
    }

    /// nil: it was only brought up to date.
    package let rebuiltBecause: Reason?
    /// Up to where it was.
    package let from: Int64
    /// Up to where it is.
    package let position: Int64
    /// Whose rows were written.
    package let sessions: Int64
}

// CaptureLedgerSync

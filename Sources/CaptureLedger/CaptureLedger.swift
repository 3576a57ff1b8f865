// CaptureLedger

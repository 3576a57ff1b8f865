@_exported public import CaptureLedger

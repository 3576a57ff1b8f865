// StructuredLog

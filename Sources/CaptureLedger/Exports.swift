// The value types that the library's signatures name live in the domain, and a host writes `import CaptureLedger` alone. A type
// alias would carry the name but not the members: a client with MemberImportVisibility cannot call them then (decision 11).
@_exported public import SessionDomain

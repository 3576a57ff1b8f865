/// A word after the verb.
struct Positional: Sendable {
    enum Arity: Sendable { case one, optional, oneOrMore, any }

    let name: String
    let summary: String
    let arity: Arity

    init(_ name: String, _ summary: String, _ arity: Arity = .one) {
        self.name = name
        self.summary = summary
        self.arity = arity
    }

    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)…"
        case .any: "[\(name)…]"
        }
    }
}

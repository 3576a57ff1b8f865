/// What a verifier might read off a piece; the person does not exist.
func defaultPayload(for piece: String) -> SandboxJSON {
    switch piece {
    case "passport_front":
        [
            "document_type": "P", "issuing_state": "UTO", "document_number": "L898902C3", "surname": "ERIKSSON",
            "given_names": "ANNA MARIA", "nationality": "UTO", "birth_date": "1974-08-12", "expiry_date": "2032-04-15",
        ]
    case "passport_back":
        ["place_of_birth": "ZENITH", "issuing_authority": "UTOPIA PASSPORT OFFICE", "issue_date": "2022-04-16"]
    case "selfie":
        ["liveness": .number("0.99"), "face_match": .number("0.97")]
    default:
        ["piece": .string(piece)]
    }
}

/// The page of a passport picture, upright, without any metadata, as a sealed JPEG of its own (S53). Its hash is its own and not the
/// original's (K31).
package struct PageCrop: Hashable, Sendable {
    package let id: CropID
    package let bytes: Int64
    /// In pixels.
    package let width: Int
    package let height: Int
    /// Keyed digest of the JPEG.
    package let commitment: Digest256
    package let sealedDigest: Digest256
    package let sealedBytes: Int64

    package init(
        id: CropID, bytes: Int64, width: Int, height: Int, commitment: Digest256, sealedDigest: Digest256, sealedBytes: Int64
    ) {
        self.id = id
        self.bytes = bytes
        self.width = width
        self.height = height
        self.commitment = commitment
        self.sealedDigest = sealedDigest
        self.sealedBytes = sealedBytes
    }
}

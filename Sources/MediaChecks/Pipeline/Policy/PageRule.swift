/// What makes a picture show a page of a travel document (S43). The finding that judges it has the rule's name.
package enum PageRule: String, Sendable, Hashable, CaseIterable {
    /// A page, whatever is on it.
    case page
    /// A page and on it a photo, or an MRZ: its centre lies in the page.
    case pageWithPhotoOrMRZ = "page_with_photo_or_mrz"
    /// A page and no photo on it.
    case pageWithoutPhoto = "page_without_photo"
}

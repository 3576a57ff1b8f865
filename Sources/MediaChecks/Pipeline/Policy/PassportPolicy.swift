/// Rules of passport pages.
package struct PassportPolicy: Sendable, Hashable {
    package var frontPage = PageRule.pageWithPhotoOrMRZ
    package var backPage = PageRule.page
    package var fingerOverlap = 0.02
    package var presumesMRZ = true
    package var glareScore = 0.5
    package var glareArea: Double?
    package var brightness: Double? = 35
    package var blurScore = 0.5
    package var laplacianVariance: Double?
    package var cropWidth = 512

    package init() {}
}

extension PassportPolicy: PolicySection {
    static let fields: [PolicyField<Self>] = [
        .init("front_page", .pageRule(\.frontPage), "page, page_with_photo_or_mrz or page_without_photo."),
        .init(
            "back_page", .pageRule(\.backPage), "The same for the back; some backs carry a second photo."),
        .init("finger_overlap", .number(\.fingerOverlap, 0...1), "A finger that covers this share of the MRZ, or more, fails."),
        .init(
            "presumes_mrz", .flag(\.presumesMRZ),
            "Where a front shows no MRZ, the place where ICAO 9303 puts it is taken: a finger may hide all of it."),
        .init("glare_score", .number(\.glareScore, 0...1), "The glare model's score must stay below."),
        .init(
            "glare_area", .optional(\.glareArea, 0...1), "The largest share of pixels brighter than 240; null: measured only."),
        .init("brightness", .optional(\.brightness, 0...255), "The lowest mean luma of the page; null: measured only."),
        .init("blur_score", .number(\.blurScore, 0...1), "The blur model's score must stay below."),
        .init(
            "laplacian_variance", .optional(\.laplacianVariance, 0...1e6),
            "The lowest variance, judged only where no blur model is installed; null: measured only."),
        .init(
            "crop_width", .whole(\.cropWidth, 64...2048), "Pixels across, to which the page is scaled before it is measured."),
    ]
}

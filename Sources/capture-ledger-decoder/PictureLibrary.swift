import CSystem
import CVips
import Glibc

/// libvips and those of its modules that are wanted.
enum PictureLibrary {
    /// Loads everything that the role needs, and blocks every other loader. False when one that it needs is missing.
    static func load(_ role: Decoder.Role) -> Bool {
        cv_silence()
        // Without this it opens every module that lies in its folder, ImageMagick and OpenSlide among them.
        unsafe setenv("VIPSHOME", "/nonexistent", 1)
        unsafe setenv("VIPS_WARNING", "0", 1)
        // libvips compiles loops while it runs, in memory that must be executable.
        unsafe setenv("VIPS_NOVECTOR", "1", 1)
        guard unsafe cv_init("capture-ledger-decoder") == 0 else { return false }
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        let loaders: [String]
        switch role {
        case .heic:
            loadModule("vips-heif.so")
            loaders = ["Heif"]
        case .document:
            loadModule("vips-poppler.so")
            loaders = ["Pdf"]
        case .picture, .video: loaders = ["Jpeg", "Png", "Webp"]
        }
        vips_block_untrusted_set(1)
        unsafe vips_operation_block_set("VipsForeignLoad", 1)
        for name in loaders { unsafe vips_operation_block_set("VipsForeignLoad\(name)", 0) }
        unsafe vips_operation_block_set("VipsForeignSave", 1)
        unsafe vips_operation_block_set("VipsForeignSaveJpeg", 0)
        return loaders.allSatisfy { unsafe cv_has_loader("VipsForeignLoad\($0)Buffer") != 0 }
    }

    /// It lies beside the library in a folder with its version. Where there is none it is part of the library.
    private static func loadModule(_ name: String) {
        guard let path = unsafe cl_library_of("vips_init") else { return }
        let library = unsafe String(cString: path)
        guard let slash = library.lastIndex(of: "/") else { return }
        let folder = "\(library[..<slash])/vips-modules-\(vips_version(0)).\(vips_version(1))"
        unsafe _ = cv_open_module("\(folder)/\(name)")
    }
}

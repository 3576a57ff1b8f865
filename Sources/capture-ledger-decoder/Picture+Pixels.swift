import CVips
import DecoderProtocol
import Glibc

extension Picture {
    /// Bytes that libvips allocated.
    @safe struct Block: ~Copyable {
        let bytes: UnsafeRawBufferPointer

        deinit { unsafe g_free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
    }

    /// Computed and kept, so that it can be read in any order and more than once.
    borrowing func inMemory() throws(Refused) -> Picture {
        guard let copy = unsafe vips_image_copy_memory(pointer) else { throw Self.failure() }
        return try unsafe Picture { out in
            unsafe out.pointee = unsafe copy
            return 0
        }
    }

    /// Three bytes a pixel, row after row.
    borrowing func pixels() throws(Refused) -> Block {
        var count = 0
        guard let bytes = unsafe vips_image_write_to_memory(pointer, &count) else { throw Self.failure() }
        return unsafe Block(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
    }

    borrowing func jpeg(quality: Int32) throws(Refused) -> Block {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        guard unsafe cv_save_jpeg(pointer, &bytes, &count, quality) == 0, let bytes = unsafe bytes else { throw Self.failure() }
        return unsafe Block(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
    }

    borrowing func cropped(_ area: Area) throws(Refused) -> Picture {
        try unsafe applying {
            unsafe cv_crop($0, $1, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height))
        }
    }

    borrowing func resized(width: Int, height: Int) throws(Refused) -> Picture {
        let result = try unsafe applying { unsafe cv_resize($0, $1, Int32(width), Int32(height)) }
        guard result.width == width, result.height == height else { throw Refused(.unreadable, .size) }
        return result
    }

    /// Turned and mirrored as the EXIF orientation 2 to 8 asks; it must be in memory.
    borrowing func upright(_ orientation: Int) throws(Refused) -> Picture {
        let angle =
            switch orientation {
            case 3, 4: VIPS_ANGLE_D180
            case 5, 6: VIPS_ANGLE_D90
            case 7, 8: VIPS_ANGLE_D270
            default: VIPS_ANGLE_D0
            }
        let turned = try unsafe applying { unsafe cv_rotate($0, $1, angle) }
        return [2, 4, 5, 7].contains(orientation) ? try unsafe turned.applying(cv_flip) : turned
    }
}

/// A rectangle in whole pixels.
struct Area {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
}

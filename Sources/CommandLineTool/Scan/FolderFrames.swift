import CaptureLedger
import MediaChecks
import SessionDomain
import SystemCalls

/// The pictures of a folder as frames: in the order of their names, without subfolders and hidden files.
struct FolderFrames {
    private let path: String
    private let piece: Piece
    private let limits: MediaLimits
    private let names: [String]

    init(_ path: String, _ piece: Piece, _ limits: MediaLimits) throws(Complaint) {
        self.path = path
        self.piece = piece
        self.limits = limits
        do throws(SystemError) {
            let folder = try FileDescriptor(opening: path, .folder, followLinks: true)
            // by their bytes: the same order on every machine
            names = try folder.names().filter { !$0.hasPrefix(".") }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        } catch { throw Complaint(reading: error) }
    }

    func scan(
        _ scan: inout FrameScan, _ decoder: any PictureDecoder, interval: Int64
    ) throws(Complaint) -> ScannedFrames {
        var frames = ScannedFrames(names: [])
        for name in names {
            guard let source = try source(name), let sniffed = sniff(source) else {
                frames.ignored += 1
                continue
            }
            var picture: (any OpenPicture)?
            if case .picture(let media) = sniffed { picture = try open(source, media, decoder) }
            defer { picture?.close() }
            let number = frames.count
            frames.count += 1
            frames.names?.append(name)
            do throws(CheckFault) {
                try scan.look(at: picture, number: number, timeMilliseconds: Int64(number) * interval)
            } catch { throw Complaint(error) }
            if scan.captured != nil { break }
        }
        guard frames.count > 0 else { throw Complaint.nothingToScan("The folder has no picture that fits the piece.") }
        return frames
    }

    private enum Sniffed {
        case picture(SniffedMedia)
        /// Of a kind that fits, and damaged.
        case damaged
    }

    /// nil for what is no frame, such as a text.
    private func sniff(_ source: FileBytes) -> Sniffed? {
        do throws(MediaRefusal) {
            return .picture(try MediaSniffer.sniff(source, for: piece, declaredType: nil, limits: limits))
        } catch {
            return ["unsupported_format", "not_allowed_for_piece", "empty"].contains(error.code) ? nil : .damaged
        }
    }

    /// nil for what is no file, such as a folder.
    private func source(_ name: String) throws(Complaint) -> FileBytes? {
        do throws(SystemError) {
            return try FileBytes(FileDescriptor(readingFile: path + "/" + name))
        } catch {
            if error.code == .unexpectedKind { return nil }
            throw Complaint(reading: error)
        }
    }

    /// nil where the picture is at fault.
    private func open(_ source: FileBytes, _ media: SniffedMedia, _ decoder: any PictureDecoder) throws(Complaint) -> (
        any OpenPicture
    )? {
        do throws(DecodingRefusal) { return try decoder.picture(source, media) } catch {
            let fault = CheckFault(error)
            if fault.blamesCapture { return nil }
            throw Complaint(fault)
        }
    }
}

import CaptureLedger
import MediaChecks
import SessionDomain
import SystemCalls

/// A video as frames.
struct VideoFrames {
    private let path: String
    private let limits: MediaLimits

    init(_ path: String, _ limits: MediaLimits) {
        self.path = path
        self.limits = limits
    }

    func scan(_ scan: inout FrameScan, _ decoder: any PictureDecoder) throws(Complaint) -> ScannedFrames {
        let source: FileBytes
        do throws(SystemError) { source = try FileBytes(FileDescriptor(readingFile: path)) } catch {
            throw Complaint(reading: error)
        }
        let media: SniffedMedia
        do throws(MediaRefusal) {
            media = try MediaSniffer.sniff(source, for: .hologram, declaredType: nil, limits: limits)
        } catch {
            switch error.code {
            case "unsupported_format", "not_allowed_for_piece", "empty":
                throw Complaint.nothingToScan("The file is no video.")
            default: throw Complaint(error.code, error.message, remedy: error.remedy, exit: .refused)
            }
        }
        let video: any OpenVideo
        do throws(DecodingRefusal) { video = try decoder.video(source, media) } catch { throw Complaint(CheckFault(error)) }
        defer { video.close() }
        do throws(CheckFault) { try scan.scan(video) } catch { throw Complaint(error) }
        guard scan.offered > 0 else { throw Complaint.nothingToScan("The video has no frame.") }
        return ScannedFrames(count: scan.offered)
    }
}

import COpenSSL

/// What has to be known of an X.509 certificate (RFC 5280) to say when somebody must act. Whether it is to be trusted is decided
/// by the TLS library alone.
@safe package final class Certificate {
    private let handle: OpaquePointer

    private init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    deinit { unsafe X509_free(handle) }

    /// Every certificate of a PEM file, in its order; what else is in it is passed over.
    package static func all(inPEM bytes: [UInt8]) -> [Certificate] {
        var found: [Certificate] = []
        unsafe bytes.withUnsafeBytes { buffer in
            guard let source = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return }
            while let handle = unsafe PEM_read_bio_X509(source, nil, cl_no_passphrase, nil) {
                found.append(unsafe Certificate(handle))
            }
            // the end of the file is an error to OpenSSL
            ERR_clear_error()
            unsafe BIO_free_all(source)
        }
        return found
    }

    /// Milliseconds since 1970; nil where the certificate holds no time that can be read.
    package var notBeforeMilliseconds: Int64? { unsafe Self.milliseconds(X509_get0_notBefore(handle)) }
    package var notAfterMilliseconds: Int64? { unsafe Self.milliseconds(X509_get0_notAfter(handle)) }

    private static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let time = unsafe time, let start = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_STRING_free(start) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, start, time) == 1 else { return nil }
        return (Int64(days) * 86_400 + Int64(seconds)) * 1000
    }

    package enum KeyMatch: Sendable {
        case matches
        /// It is another certificate's.
        case another
        case unreadable
        /// It wants a passphrase, and nobody is there to type one.
        case encrypted
    }

    /// Whether a PEM file holds the private key of this certificate.
    package func match(keyInPEM bytes: [UInt8]) -> KeyMatch {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let source = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
                return .unreadable
            }
            defer {
                unsafe BIO_free_all(source)
                ERR_clear_error()
            }
            var asked: Int32 = 0
            guard let key = unsafe PEM_read_bio_PrivateKey(source, nil, cl_no_passphrase, &asked) else {
                return asked == 0 ? .unreadable : .encrypted
            }
            defer { unsafe EVP_PKEY_free(key) }
            return unsafe X509_check_private_key(handle, key) == 1 ? .matches : .another
        }
    }
}

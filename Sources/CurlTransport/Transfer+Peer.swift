import CCurl

/// Who answered, for somebody who looks at a destination rather than delivering to it.
package struct Peer: Sendable, Hashable {
    /// The address of the connection; a proxy's behind one.
    package var address: String?
    /// Its certificates in PEM, its own first.
    package var certificates: [[UInt8]] = []
}

extension Transfer {
    /// What a transfer that ended knows; see CURLINFO_CERTINFO(3), CURLINFO_PRIMARY_IP(3).
    var peer: Peer {
        var peer = Peer()
        var text: UnsafePointer<CChar>?
        if unsafe ccurl_get_string(handle, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text = unsafe text {
            let address = unsafe String(cString: text)
            peer.address = address.isEmpty ? nil : address
        }
        var info: UnsafeMutablePointer<curl_certinfo>?
        guard unsafe ccurl_get_certificates(handle, &info) == CURLE_OK, let info = unsafe info else { return peer }
        for index in 0..<Int(unsafe info.pointee.num_of_certs) {
            var line = unsafe info.pointee.certinfo[index]
            while let entry = unsafe line {
                let bytes = unsafe String(cString: entry.pointee.data).utf8
                if bytes.starts(with: "Cert:".utf8) { peer.certificates.append(Array(bytes.dropFirst(5))) }
                unsafe line = unsafe entry.pointee.next
            }
        }
        return peer
    }
}

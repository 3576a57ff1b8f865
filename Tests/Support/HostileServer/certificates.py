"""Certificates for loopback, minted anew at every start: an authority that tests trust, and leaves that are wrong in one way."""

import datetime
import os
import ssl
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", ".runtime", "python"))

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
import ipaddress

DAY = datetime.timedelta(days=1)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def mint(subject, issuer=None, host="localhost", begins=-1, ends=30, authority=False):
    """(certificate, key); `issuer` is such a pair, or nothing for a certificate that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.utcnow()
    builder = (
        x509.CertificateBuilder().subject_name(name(subject)).issuer_name(issuer[0].subject if issuer else name(subject))
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now + begins * DAY).not_valid_after(now + ends * DAY)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True))
    if not authority:
        names = [x509.DNSName(host)]
        if host == "localhost":
            names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(issuer[1] if issuer else key, hashes.SHA256()), key


def write(folder, file, pair):
    path = os.path.join(folder, file + ".pem")
    with open(path, "wb") as out:
        out.write(pair[0].public_bytes(serialization.Encoding.PEM))
        out.write(pair[1].private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    os.chmod(path, 0o600)
    return path


def context(path, newest=None):
    result = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if newest:
        # what a client of today must refuse, OpenSSL offers only when it is told that security does not matter
        result.set_ciphers("ALL:@SECLEVEL=0")
        result.minimum_version = ssl.TLSVersion.TLSv1
        result.maximum_version = newest
    result.load_cert_chain(path)
    return result


def contexts(folder):
    """The contexts by the name of their port; also leaves `authority.pem` in the folder."""
    authority = mint("Hostile Authority", authority=True)
    with open(os.path.join(folder, "authority.pem"), "wb") as out:
        out.write(authority[0].public_bytes(serialization.Encoding.PEM))
    stranger = mint("Unknown Authority", authority=True)
    leaves = {
        "tls": mint("localhost", authority),
        "tls-expired": mint("localhost", authority, begins=-20, ends=-10),
        "tls-not-yet": mint("localhost", authority, begins=10, ends=20),
        "tls-other-name": mint("elsewhere.example", authority, host="elsewhere.example"),
        "tls-unknown-authority": mint("localhost", stranger),
        "tls-self-signed": mint("localhost"),
        "tls-old": mint("localhost", authority),
    }
    made = {}
    for port, leaf in leaves.items():
        path = write(folder, port, leaf)
        with __import__("warnings").catch_warnings():
            __import__("warnings").simplefilter("ignore")
            made[port] = context(path, ssl.TLSVersion.TLSv1_1 if port == "tls-old" else None)
    return made

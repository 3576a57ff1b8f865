#ifndef CAPTURE_LEDGER_COPENSSL_SHIM_H
#define CAPTURE_LEDGER_COPENSSL_SHIM_H
// SHA256_Init and the like, deprecated in favour of EVP, which takes and gives back memory for every digest: docs/decisions/0027.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

// One crossing per digest in place of four: the leaf of every event is hashed through this. 0 means that OpenSSL refused.
static inline int cl_digest_with_prefix(
    SHA256_CTX *context, unsigned char prefix, const void *bytes, size_t count, unsigned char *result) {
    return SHA256_Init(context) && SHA256_Update(context, &prefix, 1) && SHA256_Update(context, bytes, count)
        && SHA256_Final(result, context);
}

// HMAC-SHA256 (RFC 2104) of `head` and `message` in one crossing: every command's body is told from others by it. `pads` are the key's
// inner and outer block of 64 bytes; `result` has 32.
static inline int cl_hmac(
    SHA256_CTX *context, const unsigned char *pads, const void *head, size_t head_count, const void *message, size_t count,
    unsigned char *result) {
    return SHA256_Init(context) && SHA256_Update(context, pads, 64) && SHA256_Update(context, head, head_count)
        && SHA256_Update(context, message, count) && SHA256_Final(result, context) && SHA256_Init(context)
        && SHA256_Update(context, pads + 64, 64) && SHA256_Update(context, result, 32) && SHA256_Final(result, context);
}

// One crossing per chunk, and one place that orders the five calls. `tag` is 16 bytes; `context` has its key. 0 means that
// OpenSSL refused.
static inline int cl_gcm_seal(
    EVP_CIPHER_CTX *context, const unsigned char *nonce, const unsigned char *aad, int aad_count, const unsigned char *plain,
    int count, unsigned char *sealed, unsigned char *tag) {
    int n = 0;
    if (!EVP_EncryptInit_ex2(context, NULL, NULL, nonce, NULL)) return 0;
    if (aad_count > 0 && !EVP_EncryptUpdate(context, NULL, &n, aad, aad_count)) return 0;
    if (count > 0 && !EVP_EncryptUpdate(context, sealed, &n, plain, count)) return 0;
    if (!EVP_EncryptFinal_ex(context, sealed + count, &n)) return 0;
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag);
}

// 1 opened, 0 the tag does not fit (what was written to `plain` must not be used), -1 OpenSSL refused.
static inline int cl_gcm_open(
    EVP_CIPHER_CTX *context, const unsigned char *nonce, const unsigned char *aad, int aad_count, const unsigned char *sealed,
    int count, const unsigned char *tag, unsigned char *plain) {
    int n = 0;
    if (!EVP_DecryptInit_ex2(context, NULL, NULL, nonce, NULL)) return -1;
    if (aad_count > 0 && !EVP_DecryptUpdate(context, NULL, &n, aad, aad_count)) return -1;
    if (count > 0 && !EVP_DecryptUpdate(context, plain, &n, sealed, count)) return -1;
    if (!EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, (void *)tag)) return -1;
    return EVP_DecryptFinal_ex(context, plain + count, &n) > 0 ? 1 : 0;
}

// Ed25519 (RFC 8032) over raw keys: a seed of 32 bytes, a public key of 32, a signature of 64. 0 means that OpenSSL refused.
static inline int cl_ed25519_public(const unsigned char *seed, unsigned char *public_key) {
    size_t count = 32;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, 32);
    int ok = key != NULL && EVP_PKEY_get_raw_public_key(key, public_key, &count) == 1 && count == 32;
    EVP_PKEY_free(key);
    return ok;
}

static inline int cl_ed25519_sign(
    const unsigned char *seed, const unsigned char *message, size_t count, unsigned char *signature) {
    size_t length = 64;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, 32);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int ok = key != NULL && context != NULL && EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1
        && EVP_DigestSign(context, signature, &length, message, count) == 1 && length == 64;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return ok;
}

// 1 the signature is right, 0 it is not, -1 OpenSSL refused.
static inline int cl_ed25519_verify(
    const unsigned char *public_key, const unsigned char *message, size_t count, const unsigned char *signature) {
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key, 32);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int result = -1;
    if (key != NULL && context != NULL && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1)
        result = EVP_DigestVerify(context, signature, 64, message, count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return result;
}

// OpenSSL's own callback would ask on the terminal. `asked` may be NULL, else it becomes 1.
static inline int cl_no_passphrase(char *buffer, int size, int writes, void *asked) {
    (void)buffer, (void)size, (void)writes;
    if (asked) *(int *)asked = 1;
    return 0;
}
#endif

#ifndef CAPTURE_LEDGER_IPSEC_MB_H
#define CAPTURE_LEDGER_IPSEC_MB_H

#include <stddef.h>
#include <stdint.h>

// AES-256-GCM of Intel's Multi-Buffer Crypto for IPSec library, for processors that encrypt four blocks with one instruction (VAES,
// VPCLMULQDQ, AVX-512): docs/decisions/0029. Elsewhere there is no key, and OpenSSL is as fast.
#pragma clang assume_nonnull begin

typedef struct cl_mb_key cl_mb_key;

// A key schedule without a key yet. NULL: this processor gains nothing by it, the library failed its own test of itself, or there is
// no memory.
cl_mb_key *_Nullable cl_mb_new(void);
// Clears it first.
void cl_mb_free(cl_mb_key *_Nonnull key);
void cl_mb_set_key(cl_mb_key *_Nonnull key, const uint8_t *_Nonnull bytes);

// A nonce is 12 bytes, a tag 16. `input` and `output` may be the same memory. NULL is allowed where a count is 0.
void cl_mb_seal(
    cl_mb_key *_Nonnull key, const uint8_t *_Nonnull nonce, const uint8_t *_Nullable aad, size_t aad_count,
    const uint8_t *_Nullable input, size_t count, uint8_t *_Nullable output, uint8_t *_Nonnull tag);
// Writes the tag that the input ought to have: what was written to `output` must not be used before the two were compared.
void cl_mb_open(
    cl_mb_key *_Nonnull key, const uint8_t *_Nonnull nonce, const uint8_t *_Nullable aad, size_t aad_count,
    const uint8_t *_Nullable input, size_t count, uint8_t *_Nullable output, uint8_t *_Nonnull tag);

#pragma clang assume_nonnull end
#endif

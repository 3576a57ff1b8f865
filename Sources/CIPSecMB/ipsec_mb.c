// explicit_bzero(3)
#define _GNU_SOURCE
#include "CIPSecMB.h"

#if defined(__x86_64__)
#include <intel-ipsec-mb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cl_mb_key {
    struct gcm_key_data schedule;
};

// Its functions for this processor; only read once it is made.
static IMB_MGR *manager;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_manager(void) {
    const uint64_t needed = IMB_FEATURE_VAES | IMB_FEATURE_VPCLMULQDQ | IMB_FEATURE_AVX512_SKX | IMB_FEATURE_SELF_TEST_PASS;
    IMB_MGR *made = alloc_mb_mgr(0);
    if (made == NULL) return;
    init_mb_mgr_auto(made, NULL);
    if ((made->features & needed) == needed && imb_get_errno(made) == 0)
        manager = made;
    else
        free_mb_mgr(made);
}

cl_mb_key *cl_mb_new(void) {
    pthread_once(&once, make_manager);
    return manager == NULL ? NULL : aligned_alloc(64, (sizeof(cl_mb_key) + 63) / 64 * 64);
}

void cl_mb_free(cl_mb_key *key) {
    explicit_bzero(key, sizeof *key);
    free(key);
}

void cl_mb_set_key(cl_mb_key *key, const uint8_t *bytes) { IMB_AES256_GCM_PRE(manager, bytes, &key->schedule); }

// The library looks at pointers before it looks at counts.
static uint8_t nothing[16];

static void run(
    aes_gcm_enc_dec_t function, cl_mb_key *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_count, const uint8_t *input,
    size_t count, uint8_t *output, uint8_t *tag) {
    struct gcm_context_data context;
    function(
        &key->schedule, &context, output ? output : nothing, input ? input : nothing, count, nonce, aad ? aad : nothing, aad_count,
        tag, 16);
}

void cl_mb_seal(
    cl_mb_key *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_count, const uint8_t *input, size_t count,
    uint8_t *output, uint8_t *tag) {
    run(manager->gcm256_enc, key, nonce, aad, aad_count, input, count, output, tag);
}

void cl_mb_open(
    cl_mb_key *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_count, const uint8_t *input, size_t count,
    uint8_t *output, uint8_t *tag) {
    run(manager->gcm256_dec, key, nonce, aad, aad_count, input, count, output, tag);
}
#else
cl_mb_key *cl_mb_new(void) { return NULL; }
void cl_mb_free(cl_mb_key *key) {}
void cl_mb_set_key(cl_mb_key *key, const uint8_t *bytes) {}
void cl_mb_seal(
    cl_mb_key *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_count, const uint8_t *input, size_t count,
    uint8_t *output, uint8_t *tag) {}
void cl_mb_open(
    cl_mb_key *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_count, const uint8_t *input, size_t count,
    uint8_t *output, uint8_t *tag) {}
#endif

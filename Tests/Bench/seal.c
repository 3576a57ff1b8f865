// OpenSSL's AES-256-GCM over chunks of 64 KiB: in memory alone, and with what a sealed file needs besides, its two digests
// and a durable file of 1 MB each. And how often a second this disk makes an appended page durable.
#include "bench.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 65536, OBJECT = 1000000 };

typedef struct {
    EVP_CIPHER_CTX *context;
    unsigned char *plain, *sealed;
    unsigned char header[24];
} Sealer;

static Sealer open_sealer(void) {
    Sealer sealer = {.context = EVP_CIPHER_CTX_new()};
    unsigned char key[32] = {7};
    sealer.plain = malloc(CHUNK);
    sealer.sealed = malloc(CHUNK + 16);
    memset(sealer.plain, 'x', CHUNK);
    EVP_EncryptInit_ex2(sealer.context, EVP_aes_256_gcm(), key, 0, 0);
    return sealer;
}

static int seal_chunk(Sealer *sealer, uint32_t number, int length) {
    unsigned char nonce[12] = {0};
    memcpy(nonce, &number, 4);
    int written = 0, last = 0;
    EVP_EncryptInit_ex2(sealer->context, 0, 0, nonce, 0);
    EVP_EncryptUpdate(sealer->context, 0, &written, sealer->header, sizeof sealer->header);
    EVP_EncryptUpdate(sealer->context, sealer->sealed, &written, sealer->plain, length);
    EVP_EncryptFinal_ex(sealer->context, sealer->sealed + written, &last);
    EVP_CIPHER_CTX_ctrl(sealer->context, EVP_CTRL_AEAD_GET_TAG, 16, sealer->sealed + length);
    return length + 16;
}

static void write_object(Sealer *sealer, EVP_MD_CTX *plain, EVP_MD_CTX *sealed, const char *folder, int folder_file, int number) {
    char path[1024], name[1024];
    snprintf(path, sizeof path, "%s/plain-staging", folder);
    snprintf(name, sizeof name, "%s/plain-%d", folder, number);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    EVP_DigestInit_ex2(plain, EVP_sha256(), 0);
    EVP_DigestInit_ex2(sealed, EVP_sha256(), 0);
    for (int done = 0; done < OBJECT; done += CHUNK) {
        int length = OBJECT - done < CHUNK ? OBJECT - done : CHUNK;
        int sealed_length = seal_chunk(sealer, (uint32_t)(done / CHUNK), length);
        EVP_DigestUpdate(plain, sealer->plain, (size_t)length);
        EVP_DigestUpdate(sealed, sealer->sealed, (size_t)sealed_length);
        if (write(file, sealer->sealed, (size_t)sealed_length) != sealed_length) exit(1);
    }
    unsigned char digest[32];
    EVP_DigestFinal_ex(plain, digest, 0);
    EVP_DigestFinal_ex(sealed, digest, 0);
    if (fsync(file) || rename(path, name) || fsync(folder_file)) exit(1);
    close(file);
}

int measure_seal(const char *folder, int megabytes) {
    Sealer sealer = open_sealer();
    long chunks = (long)megabytes * 1000000 / CHUNK;
    double begun = now(), used = processor();
    for (long i = 0; i < chunks; i++) seal_chunk(&sealer, (uint32_t)i, CHUNK);
    double in_memory = (double)chunks * CHUNK / (now() - begun);
    double per_processor = (double)chunks * CHUNK / (processor() - used);

    EVP_MD_CTX *plain = EVP_MD_CTX_new(), *sealed = EVP_MD_CTX_new();
    int folder_file = open(folder, O_RDONLY | O_DIRECTORY);
    int objects = megabytes / 8 > 0 ? megabytes / 8 : 1;
    begun = now();
    for (int i = 0; i < objects; i++) write_object(&sealer, plain, sealed, folder, folder_file, i);
    double durable = (double)objects * OBJECT / (now() - begun);
    for (int i = 0; i < objects; i++) {
        char name[1024];
        snprintf(name, sizeof name, "%s/plain-%d", folder, i);
        unlink(name);
    }
    printf("{\"megabytes\": %d, \"bytes_per_second\": %.0f, \"bytes_per_cpu_second\": %.0f, \"durable_bytes_per_second\": %.0f}\n",
        megabytes, in_memory, per_processor, durable);
    return 0;
}

int measure_sync(const char *folder, double seconds) {
    char path[1024];
    snprintf(path, sizeof path, "%s/plain-sync", folder);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char page[4096] = {1};
    long count = 0;
    double begun = now();
    while (now() - begun < seconds) {
        if (write(file, page, sizeof page) != sizeof page || fdatasync(file)) return 1;
        count++;
    }
    printf("{\"syncs_per_second\": %.0f}\n", (double)count / (now() - begun));
    close(file);
    unlink(path);
    return 0;
}

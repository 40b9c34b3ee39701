/* pool.c - see pool.h.
 *
 * A job is published by one 64-bit word: its number in the upper half, how many parts are left to
 * take in the lower half. A thread takes a part by lowering that word from what it has just read;
 * that fails when the job is another one by now, so a thread may come to a job as late as it likes.
 * What the job is (work, context, parts) is read only after a part has been taken, and changes when
 * all are done. Waiting is spinning for a while (jobs of a training step follow each other within
 * microseconds) and then sleeping.
 */
#include "base/pool.h"

#ifdef GPT_THREADS

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- Sleeping until a word changes ----------------------------------------------------------- */

#ifdef __wasm__

// Turns of the waiting loop, some 30 microseconds.
enum { SPINS = 20000 };

static void rest(void) {}

/* Sleeps while *word is `value`; may return early. */
static void sleep_while(uint32_t *word, uint32_t value) {
    (void)__builtin_wasm_memory_atomic_wait32((int *)word, (int)value, -1);
}

static void wake(uint32_t *word) {
    (void)__builtin_wasm_memory_atomic_notify((int *)word, UINT32_MAX);
}

#else

#include <pthread.h>

enum { SPINS = 2000 };

/* Leaves the core to the thread's sibling for a moment. */
static void rest(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleep_end = PTHREAD_COND_INITIALIZER;

static void sleep_while(uint32_t *word, uint32_t value) {
    pthread_mutex_lock(&sleep_lock);
    while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) {
        pthread_cond_wait(&sleep_end, &sleep_lock);
    }
    pthread_mutex_unlock(&sleep_lock);
}

static void wake(uint32_t *word) {
    (void)word;
    pthread_mutex_lock(&sleep_lock);
    pthread_cond_broadcast(&sleep_end);
    pthread_mutex_unlock(&sleep_lock);
}

#endif

/* ---- State ----------------------------------------------------------------------------------- */

enum { SLOTS = POOL_THREADS_MAX - 1, ALIGNMENT = 64 };

enum slot_state {
    SLOT_FREE,
    SLOT_GIVEN,  /* to a thread that is on its way */
    SLOT_TAKEN,  /* its thread serves */
    SLOT_REVOKED /* given before pool_stop: the thread leaves at once when it comes */
};

/* A place for one thread beside the caller's. */
typedef struct slot {
    _Alignas(64) uint32_t wake_count; /* raised when there is a job for its thread */
    uint32_t job;                     /* its number: the thread takes parts of no other */
    uint32_t asleep;                  /* the thread waits for the wake_count */
    uint32_t state;
    unsigned char *memory;  /* owns: scratch, stack (WebAssembly), and a pointer to this slot */
    unsigned char *scratch; /* aligned */
    struct slot **top;      /* that pointer, at the end of the stack: the handle of the slot */
#ifndef __wasm__
    pthread_t thread;
#endif
} slot;

static struct {
    _Alignas(64) uint64_t left; /* number of the job << 32 | parts that nobody has taken yet */
    _Alignas(64) uint32_t done; /* parts of the job that are finished */
    uint32_t owner_asleep;      /* the caller waits for `done` */
    _Alignas(64) pool_work work;
    void *context;
    uint32_t parts;
    uint32_t busy;    /* a job is running */
    uint32_t limit;   /* threads that may take part, the caller included */
    uint32_t present; /* threads in pool_serve */
    uint32_t closing;
    slot slots[SLOTS];
} pool = {.limit = POOL_THREADS_MAX};

// One order for everything that threads tell each other: "I sleep" and "there is work" must not
// pass each other unseen.
#define LOAD(place)         __atomic_load_n(&(place), __ATOMIC_SEQ_CST)
#define STORE(place, value) __atomic_store_n(&(place), value, __ATOMIC_SEQ_CST)
#define RAISE(place)        __atomic_add_fetch(&(place), 1, __ATOMIC_SEQ_CST)
#define LOWER(place)        __atomic_sub_fetch(&(place), 1, __ATOMIC_SEQ_CST)

int pool_threads(void) {
    uint32_t present = LOAD(pool.present) + 1, limit = LOAD(pool.limit);
    return (int)(present < limit ? present : limit);
}

int pool_awake(void) {
    int awake = 1;
    for (int i = 0; i < SLOTS; i++) {
        awake += LOAD(pool.slots[i].state) == SLOT_TAKEN && !LOAD(pool.slots[i].asleep);
    }
    return awake;
}

static bool exchange_state(slot *s, uint32_t from, uint32_t to) {
    return __atomic_compare_exchange_n(&s->state, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

static void set_limit(int threads) {
    threads = threads < 1 ? 1 : threads > POOL_THREADS_MAX ? POOL_THREADS_MAX : threads;
    STORE(pool.limit, (uint32_t)threads);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Takes parts of the job numbered `job` until none is left. */
static void take_parts(uint32_t job, void *scratch) {
    for (;;) {
        uint64_t left = LOAD(pool.left);
        if ((uint32_t)(left >> 32) != job || (uint32_t)left == 0) {
            return;
        }
        if (!__atomic_compare_exchange_n(&pool.left, &left, left - 1, false, __ATOMIC_SEQ_CST,
                                         __ATOMIC_SEQ_CST)) {
            continue;
        }
        uint32_t parts = pool.parts;
        pool.work(pool.context, (int)(parts - (uint32_t)left), scratch);
        // Once the last part is reported, the caller may publish another job at any moment.
        if (RAISE(pool.done) == parts && LOAD(pool.owner_asleep)) {
            wake(&pool.done);
        }
    }
}

/* Waits until *word is `value`: spins, then sleeps with `asleep` set, so that a change of the
 * word wakes it. */
static void wait_until(uint32_t *word, uint32_t value, uint32_t *asleep) {
    for (int i = 0; i < SPINS; i++) {
        if (LOAD(*word) == value) {
            return;
        }
        rest();
    }
    STORE(*asleep, 1);
    for (uint32_t now; (now = LOAD(*word)) != value;) {
        sleep_while(word, now);
    }
    STORE(*asleep, 0);
}

static void ring(slot *s) {
    RAISE(s->wake_count);
    if (LOAD(s->asleep)) {
        wake(&s->wake_count);
    }
}

void pool_run(pool_work work, void *context, int parts, int threads, void *scratch) {
    int most = pool_threads() < parts ? pool_threads() : parts;
    threads = threads < most ? threads : most;
    if (threads < 2 || __atomic_exchange_n(&pool.busy, 1, __ATOMIC_SEQ_CST)) {
        for (int part = 0; part < parts; part++) {
            work(context, part, scratch);
        }
        return;
    }
    pool.work = work;
    pool.context = context;
    pool.parts = (uint32_t)parts;
    STORE(pool.done, 0);
    uint32_t job = (uint32_t)(LOAD(pool.left) >> 32) + 1;
    STORE(pool.left, (uint64_t)job << 32 | (uint32_t)parts);
    int called = 1;
    for (int i = 0; i < SLOTS && called < threads; i++) {
        if (LOAD(pool.slots[i].state) == SLOT_TAKEN) {
            STORE(pool.slots[i].job, job);
            ring(&pool.slots[i]);
            called++;
        }
    }
    take_parts(job, scratch);
    wait_until(&pool.done, (uint32_t)parts, &pool.owner_asleep);
    STORE(pool.busy, 0);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Present before it has its slot: stopping the pool waits for it. */
static void come(void) {
    RAISE(pool.present);
    wake(&pool.present);
}

static void leave(void) {
    LOWER(pool.present);
    wake(&pool.present);
}

/* What a thread does from the moment it has its slot. */
static void serve(slot *s) {
    uint32_t heard = LOAD(s->wake_count);
    while (!LOAD(pool.closing)) {
        take_parts(LOAD(s->job), s->scratch);
        for (int i = 0; i < SPINS && LOAD(s->wake_count) == heard; i++) {
            rest();
        }
        if (LOAD(s->wake_count) == heard) {
            STORE(s->asleep, 1);
            while (LOAD(s->wake_count) == heard && !LOAD(pool.closing)) {
                sleep_while(&s->wake_count, heard);
            }
            STORE(s->asleep, 0);
        }
        heard = LOAD(s->wake_count);
    }
    STORE(s->state, SLOT_FREE);
    leave();
}

/* A slot with memory that nobody has, given away; NULL if every slot has its memory. */
static slot *give_slot(size_t stack_bytes, size_t scratch_bytes) {
    for (int i = 0; i < SLOTS; i++) {
        slot *s = &pool.slots[i];
        if (LOAD(s->state) != SLOT_FREE) {
            continue;
        }
        if (!s->memory) {
            size_t bytes = (scratch_bytes + stack_bytes) / ALIGNMENT * ALIGNMENT;
            s->memory = malloc(bytes + 2 * (size_t)ALIGNMENT);
            if (!s->memory) {
                return NULL;
            }
            s->scratch = s->memory + (ALIGNMENT - (uintptr_t)s->memory % ALIGNMENT) % ALIGNMENT;
            s->top = (slot **)(void *)(s->scratch + bytes);
            *s->top = s;
        }
        STORE(s->state, SLOT_GIVEN);
        return s;
    }
    return NULL;
}

#ifdef __wasm__

void *pool_slot(size_t stack_bytes, size_t scratch_bytes) {
    slot *s = give_slot(stack_bytes, scratch_bytes);
    return s ? s->top : NULL;
}

void pool_serve(void *given) {
    slot *s = *(slot **)given;
    come();
    if (exchange_state(s, SLOT_GIVEN, SLOT_TAKEN)) {
        serve(s);
    } else {
        (void)exchange_state(s, SLOT_REVOKED, SLOT_FREE);
        leave();
    }
}

int pool_limit(int threads, size_t scratch_bytes) {
    (void)scratch_bytes;
    set_limit(threads);
    return pool_threads();
}

#else

static void *serve_slot(void *given) {
    come();
    serve(given);
    return NULL;
}

int pool_limit(int threads, size_t scratch_bytes) {
    set_limit(threads);
    int there = (int)LOAD(pool.present) + 1;
    for (; there < threads; there++) {
        slot *s = give_slot(0, scratch_bytes);
        if (!s) {
            break;
        }
        STORE(s->state, SLOT_TAKEN);
        if (pthread_create(&s->thread, NULL, serve_slot, s) != 0) {
            STORE(s->state, SLOT_FREE);
            free(s->memory);
            s->memory = NULL;
            break;
        }
    }
    uint32_t asleep;
    wait_until(&pool.present, (uint32_t)there - 1, &asleep);
    return pool_threads();
}

#endif

void pool_stop(void) {
    STORE(pool.closing, 1);
    for (int i = 0; i < SLOTS; i++) {
        (void)exchange_state(&pool.slots[i], SLOT_GIVEN, SLOT_REVOKED);
        ring(&pool.slots[i]);
    }
    uint32_t asleep;
    wait_until(&pool.present, 0, &asleep);
    STORE(pool.closing, 0);
#ifndef __wasm__
    for (int i = 0; i < SLOTS; i++) {
        slot *s = &pool.slots[i];
        if (s->memory) {
            pthread_join(s->thread, NULL);
            free(s->memory);
            s->memory = NULL;
        }
    }
#endif
}

#endif

/* pool.c - see pool.h.
 *
 * One 64-bit word, pool.left, publishes a job: the number of the job in its upper half, the number
 * of unclaimed parts in its lower half. A thread claims a part by decrementing the word with a
 * compare-and-swap, which fails if the word already belongs to another job; so a thread may arrive
 * at a job arbitrarily late. The fields of the job (work, context, parts) are read only after a
 * part has been claimed, and overwritten only after all parts are done. A waiting thread first
 * spins, because the jobs of a training step follow each other within microseconds, and then
 * sleeps.
 */
#include "base/pool.h"

#ifdef GPT_THREADS

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- Sleeping until a word changes ----------------------------------------------------------- */

#ifdef __wasm__

// Iterations of a spin loop before the thread sleeps; they take about 30 microseconds.
enum { SPINS = 20000 };

static void pause_spin(void) {}

/* Sleeps while *word equals `value`; may return early. */
static void sleep_while(uint32_t *word, uint32_t value) {
    (void)__builtin_wasm_memory_atomic_wait32((int *)word, (int)value, -1);
}

static void wake(uint32_t *word) {
    (void)__builtin_wasm_memory_atomic_notify((int *)word, UINT32_MAX);
}

#else

#include <pthread.h>

enum { SPINS = 2000 };

/* On x86, pauses briefly, so that the core's other hardware thread can run. */
static void pause_spin(void) {
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
    SLOT_RESERVED, /* reserved for a thread that has not arrived yet */
    SLOT_RUNNING,  /* its thread has arrived and runs serve() */
    SLOT_REVOKED   /* reserved, but pool_stop came first: the thread leaves when it arrives */
};

/* The state of one helper thread. */
typedef struct slot {
    _Alignas(64) uint32_t wake_count; /* incremented to wake the thread */
    uint32_t job;                     /* number of the job whose parts the thread may claim */
    uint32_t asleep;                  /* 1: the thread sleeps until wake_count changes */
    uint32_t state;                   /* slot_state */
    unsigned char *memory;  /* owned: scratch, stack (WebAssembly only), pointer to this slot */
    unsigned char *scratch; /* first byte of `memory` that is aligned to ALIGNMENT */
    struct slot **top;      /* top of the stack, where `memory` has a pointer to this slot */
#ifndef __wasm__
    pthread_t thread;
#endif
} slot;

static struct {
    _Alignas(64) uint64_t left; /* number of the job << 32 | number of unclaimed parts */
    _Alignas(64) uint32_t done; /* number of finished parts of the job */
    uint32_t owner_asleep;      /* 1: the thread that called pool_run sleeps until `done` changes */
    _Alignas(64) pool_work work;
    void *context;
    uint32_t parts;
    uint32_t busy;    /* 1: a job is running */
    uint32_t limit;   /* most threads that may compute a job, the calling thread included */
    uint32_t present; /* number of helpers between enter() and leave() */
    uint32_t closing; /* 1: pool_stop waits for the helpers to leave */
    slot slots[SLOTS];
} pool = {.limit = POOL_THREADS_MAX};

// All shared words are sequentially consistent. With a weaker order, a thread that sets `asleep`
// and a thread that publishes a job could each miss the other's write, and the sleeper is never
// woken.
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
        awake += LOAD(pool.slots[i].state) == SLOT_RUNNING && !LOAD(pool.slots[i].asleep);
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

/* Claims and computes parts of the job numbered `job` until all parts are claimed. */
static void compute_parts(uint32_t job, void *scratch) {
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
        // Once all parts are counted, pool_run may return and publish another job: pool.parts may
        // belong to that one, so the local copy is compared.
        if (RAISE(pool.done) == parts && LOAD(pool.owner_asleep)) {
            wake(&pool.done);
        }
    }
}

/* Waits until *word equals `value`: spins, then sleeps. *asleep is 1 during the sleep, which tells
 * a thread that changes *word to call wake. */
static void wait_until(uint32_t *word, uint32_t value, uint32_t *asleep) {
    for (int i = 0; i < SPINS; i++) {
        if (LOAD(*word) == value) {
            return;
        }
        pause_spin();
    }
    STORE(*asleep, 1);
    for (uint32_t now; (now = LOAD(*word)) != value;) {
        sleep_while(word, now);
    }
    STORE(*asleep, 0);
}

/* Wakes the thread of a slot. */
static void wake_slot(slot *s) {
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
        if (LOAD(pool.slots[i].state) == SLOT_RUNNING) {
            STORE(pool.slots[i].job, job);
            wake_slot(&pool.slots[i]);
            called++;
        }
    }
    compute_parts(job, scratch);
    wait_until(&pool.done, (uint32_t)parts, &pool.owner_asleep);
    STORE(pool.busy, 0);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Counts a helper as present. A helper calls enter() before it reads its slot, so that pool_stop
 * waits for it. */
static void enter(void) {
    RAISE(pool.present);
    wake(&pool.present);
}

static void leave(void) {
    LOWER(pool.present);
    wake(&pool.present);
}

/* The main loop of a helper: computes parts, spins, and sleeps until wake_count changes. Frees the
 * slot and returns when the pool is closing. */
static void serve(slot *s) {
    uint32_t heard = LOAD(s->wake_count);
    while (!LOAD(pool.closing)) {
        compute_parts(LOAD(s->job), s->scratch);
        for (int i = 0; i < SPINS && LOAD(s->wake_count) == heard; i++) {
            pause_spin();
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

/* Reserves a free slot; allocates its memory on first use. NULL if no slot is free or memory is
 * refused. */
static slot *reserve_slot(size_t stack_bytes, size_t scratch_bytes) {
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
        STORE(s->state, SLOT_RESERVED);
        return s;
    }
    return NULL;
}

#ifdef __wasm__

void *pool_slot(size_t stack_bytes, size_t scratch_bytes) {
    slot *s = reserve_slot(stack_bytes, scratch_bytes);
    return s ? s->top : NULL;
}

void pool_serve(void *given) {
    slot *s = *(slot **)given;
    enter();
    if (exchange_state(s, SLOT_RESERVED, SLOT_RUNNING)) {
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
    enter();
    serve(given);
    return NULL;
}

int pool_limit(int threads, size_t scratch_bytes) {
    set_limit(threads);
    int there = (int)LOAD(pool.present) + 1;
    for (; there < threads; there++) {
        slot *s = reserve_slot(0, scratch_bytes);
        if (!s) {
            break;
        }
        STORE(s->state, SLOT_RUNNING);
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
        (void)exchange_state(&pool.slots[i], SLOT_RESERVED, SLOT_REVOKED);
        wake_slot(&pool.slots[i]);
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

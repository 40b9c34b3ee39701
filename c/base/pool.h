/* pool.h - a thread pool, which runs the numbered parts of a job on several threads.
 *
 * Natively the pool starts its own helper threads; in WebAssembly, Web Workers become helpers by
 * calling pool_serve. The pool is the engine's only global state: one pool for the process or
 * module. Without -DGPT_THREADS there is no helper thread, and pool_run is a plain loop.
 *
 * Invariants: the calling thread computes parts too and never waits for a helper that has claimed
 * no part, so a slow, missing or late helper delays nothing. No bit of a result depends on which
 * thread computes a part: each part writes to its own memory and adds to no sum of another part.
 */
#ifndef GLASSHOUSE_POOL_H
#define GLASSHOUSE_POOL_H

#include <stddef.h>

/* Computes one part of a job. `scratch` is memory that only the executing thread uses. */
typedef void (*pool_work)(void *context, int part, void *scratch);

#ifdef GPT_THREADS

enum { POOL_THREADS_MAX = 16 }; /* the calling thread included */

/* Returns the number of threads that can compute parts of a job: the helpers in the pool and the
 * calling thread, at most the limit set by pool_limit; 1 without helpers. */
int pool_threads(void);

/* Returns the number of helpers that are not asleep, plus 1 for the calling thread; ignores the
 * limit of pool_limit. A helper falls asleep when no job arrives for some time. */
int pool_awake(void);

/* Limits the threads that compute a job, the calling thread included, to `threads` (clamped to
 * 1..POOL_THREADS_MAX). Natively also starts the missing helpers, each with `scratch_bytes` bytes
 * of scratch memory, unless the system refuses one. Returns pool_threads(). */
int pool_limit(int threads, size_t scratch_bytes);

/* Calls work(context, part, scratch) once for each part 0 .. parts-1, in any order, on at most
 * `threads` threads, and returns when all parts are done. `scratch` is the scratch memory of the
 * calling thread; helpers use their own. A job started from within a job, or while another thread's
 * job runs, is computed by its calling thread alone. Allocates no memory. */
void pool_run(pool_work work, void *context, int parts, int threads, void *scratch);

/* Ends all helpers and waits until they have left the pool. Natively also frees their memory. Must
 * not be called from within a job. */
void pool_stop(void);

/* WebAssembly only: reserves a slot (the record and memory of one helper), with `stack_bytes` bytes
 * of stack and `scratch_bytes` bytes of scratch memory, the same sizes in every call. Returns the
 * top of the stack, which is also the argument of pool_serve; NULL if no slot is free or memory is
 * refused. When its helper leaves, the slot keeps its memory for the next helper. */
void *pool_slot(size_t stack_bytes, size_t scratch_bytes);

/* WebAssembly only: the main loop of a helper thread, which calls this function with the result of
 * pool_slot. Returns after pool_stop. */
void pool_serve(void *slot);

#else

static inline int pool_threads(void) {
    return 1;
}

static inline int pool_awake(void) {
    return 1;
}

static inline void pool_run(pool_work work, void *context, int parts, int threads, void *scratch) {
    (void)threads;
    for (int part = 0; part < parts; part++) {
        work(context, part, scratch);
    }
}

#endif
#endif

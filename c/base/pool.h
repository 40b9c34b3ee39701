/* pool.h - a few threads that share out the parts of a job.
 *
 * Owns: the threads (natively) or the slots that other workers take (WebAssembly), and the handing
 * out of parts. It is the engine's only global state: one pool for the process or module. Without
 * -DGPT_THREADS no helper exists, and a job is a plain loop.
 *
 * Invariants: the caller always takes part and never waits for a thread that has taken no part, so
 * a slow, missing or late thread delays nothing; which thread computes a part changes no bit,
 * because parts write to places of their own and never add to one another's.
 */
#ifndef GLASSHOUSE_POOL_H
#define GLASSHOUSE_POOL_H

#include <stddef.h>

/* One part of a job; `scratch` is the executing thread's own memory. */
typedef void (*pool_work)(void *context, int part, void *scratch);

#ifdef GPT_THREADS

enum { POOL_THREADS_MAX = 16 }; /* the caller included */

/* Threads that take part in jobs now, the caller included; 1 when nobody else is there. */
int pool_threads(void);

/* The same without those that sleep because no job came for some time; the caller counts. */
int pool_awake(void);

/* Lets at most `threads` take part from now on, the caller included, and answers the number that
 * does. Natively missing threads are started, with `scratch_bytes` of memory each. */
int pool_limit(int threads, size_t scratch_bytes);

/* Runs work(context, 0 .. parts-1, scratch), each part once and in no order, on up to `threads`
 * threads (this one included, with `scratch`), and returns when all are done. A job started from
 * within a job, or while another thread's job runs, is a plain loop. Takes no memory. */
void pool_run(pool_work work, void *context, int parts, int threads, void *scratch);

/* Sends all threads home and waits until they have left. Natively frees their memory. Not from
 * within a job. */
void pool_stop(void);

/* WebAssembly only: memory for one more thread, with `stack_bytes` of stack and `scratch_bytes` of
 * scratch (the same ones every time); answers the top of the stack, or NULL when there are
 * POOL_THREADS_MAX or memory is refused. It is kept for the next thread when this one has left. */
void *pool_slot(size_t stack_bytes, size_t scratch_bytes);

/* WebAssembly only: what the thread of that slot runs. Takes parts until pool_stop. */
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

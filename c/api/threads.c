/* threads.c - helper threads, on base/pool.h. See the section Threads of gpt.h. */
#include "api/gpt.h"
#include "base/pool.h"
#include "kernels/kernels.h"

#ifdef GPT_THREADS

int gpt_threads_use(int threads) {
    return pool_limit(threads, KERNEL_THREAD_BYTES);
}

int gpt_threads_count(void) {
    return pool_threads();
}

void gpt_threads_stop(void) {
    pool_stop();
}

#else

int gpt_threads_use(int threads) {
    (void)threads;
    return 1;
}

int gpt_threads_count(void) {
    return 1;
}

void gpt_threads_stop(void) {}

#endif

#if defined(GPT_THREADS) && defined(__wasm__)

// The deepest chain of kernel calls needs a few kilobytes of stack.
enum { STACK_BYTES = 64 * 1024 };

void *gpt_thread_create(void) {
    return pool_slot(STACK_BYTES, KERNEL_THREAD_BYTES);
}

void gpt_thread_run(void *thread) {
    if (thread) {
        pool_serve(thread);
    }
}

#else

void *gpt_thread_create(void) {
    return NULL;
}

void gpt_thread_run(void *thread) {
    (void)thread;
}

#endif

/* train_gpt.c - the main program of the native command line: trains or resumes a run, writes its
 * files, and generates samples.
 *
 * Losses, receipts and samples go to standard output (progress as a bar on a terminal, otherwise as
 * lines), messages to standard error. Exit status: 0 success, 1 failure, 2 wrong usage, 130
 * interrupted by a signal. Invariant: whatever can be checked without training is checked before
 * the first step.
 */
// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX asks for this name
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/train_gpt.h"

enum { SAMPLE_BYTES = 1 << 18, STREAM_TOKENS = 200, MICROGPT_SAMPLES = 20, BAR_WIDTH = 24 };

// Set by the signal handler on_signal; ends the loops of training and sampling.
static volatile sig_atomic_t interrupted;

static void on_second_signal(int number) {
    // NOLINTNEXTLINE(bugprone-signal-handler): discard_parts only calls unlink
    discard_parts();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void on_signal(int number) {
    interrupted = 1;
    if (number != SIGHUP) {
        (void)signal(number, on_second_signal);
    }
}

/* Installs the signal handlers. The first SIGINT (Ctrl-C) or SIGTERM ends training after the
 * current step, and the files of the run are written; a second signal of the same kind deletes the
 * temporary files and ends the program at once. SIGHUP (a closed terminal) also ends training,
 * unless the program was started with SIGHUP ignored (nohup). SIGPIPE and SIGXFSZ are ignored:
 * writes then fail with EPIPE and EFBIG. */
static void watch_signals(void) {
    struct sigaction action = {0}, before;
    action.sa_handler = on_signal;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        // A second SIGHUP is ignored, because the terminal and the shell may both send SIGHUP.
        (void)sigaction(SIGHUP, &action, NULL);
    }
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
}

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Training -------------------------------------------------------------------------------- */

/* State of the progress display on standard output. */
typedef struct progress {
    bool bar;                        /* true: draw a progress bar (terminal); false: print lines */
    int every;                       /* steps between lines */
    double started, drawn;           /* seconds: start of training; last bar (0: no bar yet) */
    double first_step, first_tokens; /* steps and tokens trained before the program began */
} progress;

/* Draws the progress bar over the previous bar: `step` of `steps` are done, `rate` is in tokens per
 * second, `left` is the remaining time in seconds. */
static void draw_bar(const gpt_trainer *trainer, double step, double steps, double rate,
                     double left) {
    char bar[BAR_WIDTH + 1];
    int filled = (int)(step / steps * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[BAR_WIDTH] = 0;
    long whole = (long)(left + 0.5);
    (void)printf("\r[%s] %.0f/%.0f loss %.7f  %.0f tokens/s  %ld:%02ld left \033[K", bar, step,
                 steps, gpt_loss(trainer), rate, whole / 60, whole % 60);
    (void)fflush(stdout);
}

/* Prints a line or draws the bar for the step just trained, if a line or bar is due or if this is
 * the last step (`last`). */
static void report(progress *p, const gpt_trainer *trainer, bool last) {
    double now = seconds(), spent = now - p->started;
    double step = gpt_trainer_get(trainer, "step"), steps = gpt_trainer_get(trainer, "steps");
    double tokens = gpt_trainer_get(trainer, "tokens_seen") - p->first_tokens;
    double rate = spent > 0 ? tokens / spent : 0;
    if (!p->bar) {
        bool first = step == p->first_step + 1;
        if (first || last || (long long)step % p->every == 0) {
            (void)printf("step %.0f/%.0f loss %.7f lr %.6g tokens/s %.0f\n", step, steps,
                         gpt_loss(trainer), gpt_trainer_get(trainer, "lr_now"), rate);
        }
        return;
    }
    if (last || now - p->drawn > 0.1) { // at most ten bars a second
        p->drawn = now;
        double left = spent / (step - p->first_step) * (steps - step);
        draw_bar(trainer, step, steps, rate, left);
    }
}

double validation_loss(gpt_trainer *trainer) {
    return gpt_validate(trainer, (int)gpt_trainer_get(trainer, "validation_windows"));
}

/* Trains until the option `steps` is reached, then prints the validation loss. A signal ends
 * training early, without a validation loss. If the run writes no file, a failed write to standard
 * output also ends training. */
static int train(gpt_trainer *trainer, const arguments *a) {
    bool kept = a->save || a->receipt || a->export_count;
    progress p = {.bar = isatty(STDOUT_FILENO) != 0,
                  .every = a->every,
                  .started = seconds(),
                  .first_step = gpt_trainer_get(trainer, "step"),
                  .first_tokens = gpt_trainer_get(trainer, "tokens_seen")};
    int status = GPT_OK;
    while (!interrupted && (kept || !ferror(stdout)) && (status = gpt_step(trainer)) == GPT_OK) {
        double left = gpt_trainer_get(trainer, "steps") - gpt_trainer_get(trainer, "step");
        report(&p, trainer, left <= 0 || interrupted);
    }
    if (p.bar && p.drawn > 0) {
        (void)putchar('\n');
    }
    (void)fflush(stdout);
    if (status < 0) {
        return complain_of_trainer("training stopped", trainer);
    }
    double held_out = interrupted ? __builtin_nan("") : validation_loss(trainer);
    if (held_out == held_out) {
        (void)printf("validation loss %.7f\n", held_out);
    }
    return EXIT_SUCCESS;
}

/* Prints on standard error the size of the model, the parts of the text that training skips, and
 * the step after which a resumed run continues. */
static void describe(const gpt_trainer *trainer, const arguments *a) {
    (void)fprintf(stderr, "%.0f parameters, %.0f tokens in the vocabulary, %.1f MB of memory\n",
                  gpt_trainer_get(trainer, "parameters"), gpt_trainer_get(trainer, "vocab"),
                  gpt_trainer_get(trainer, "memory_bytes") / 1e6);
    double cut = gpt_trainer_get(trainer, "cut_documents");
    double tokens = gpt_trainer_get(trainer, "cut_tokens");
    if (cut > 0) {
        (void)fprintf(stderr, "%.0f %s not trained", cut,
                      cut == 1 ? "line does not fit --seq: its end is"
                               : "lines do not fit --seq: their ends are");
        if (tokens > 0) {
            (void)fprintf(stderr, ", nor %.0f token%s before", tokens, tokens == 1 ? "" : "s");
        }
        (void)fputc('\n', stderr);
    }
    double left_out = gpt_trainer_get(trainer, "left_out");
    if (leaves_out(a) || left_out > 0) {
        bool lines = gpt_trainer_get(trainer, "sequences") != 0;
        (void)fprintf(stderr, "%.0f %s of the training text %s left out\n", left_out,
                      lines           ? left_out == 1 ? "line" : "lines"
                      : left_out == 1 ? "token"
                                      : "tokens",
                      left_out == 1 ? "is" : "are");
    }
    double step = gpt_trainer_get(trainer, "step"), steps = gpt_trainer_get(trainer, "steps");
    if (step > 0 && a->data && step >= steps) {
        (void)fprintf(
            stderr,
            "the run is finished: it has done %.0f of its %.0f steps; --steps with a larger "
            "number goes on\n",
            step, steps);
    } else if (step > 0 && a->data) {
        (void)fprintf(stderr, "going on after step %.0f\n", step);
    }
}

/* ---- Samples --------------------------------------------------------------------------------- */

/* Called before training: checks that the vocabulary can encode the prompt and that the prompt fits
 * into the context. If a model from a file computes infinite or NaN logits, the error message names
 * the file instead of the prompt. */
static int check_prompt(gpt_trainer *trainer, const arguments *a) {
    size_t size = strlen(a->prompt), valid = valid_utf8(a->prompt, size);
    if (valid < size && !is_bytes(a->encoding)) {
        char why[160];
        (void)snprintf(why, sizeof why,
                       "byte %zu (0x%02X) is not UTF-8: use a terminal with UTF-8, or say "
                       "--encoding bytes to take the bytes as they are",
                       valid + 1, (unsigned char)a->prompt[valid]);
        return complain("--prompt", why);
    }
    int status = gpt_sample_begin(gpt_trainer_sampler(trainer), a->prompt, size, 1, 0, 1, 0);
    const char *model = a->hf ? a->hf : a->raw ? a->raw : a->load;
    bool of_model = status == GPT_E_NOT_FINITE && model;
    return status < 0 ? complain_of_trainer(of_model ? model : "--prompt", trainer) : EXIT_SUCCESS;
}

/* Generates and prints `count` samples. */
static int sample(gpt_trainer *trainer, const arguments *a, int count, double temperature) {
    char *out = malloc(SAMPLE_BYTES);
    if (!out) {
        return complain("samples", "no memory");
    }
    const char *prompt = a->prompt ? a->prompt : "";
    bool documents = gpt_trainer_get(trainer, "sequences") != 0;
    int most = a->max_tokens ? a->max_tokens
               : documents   ? (int)gpt_trainer_get(trainer, "context")
                             : STREAM_TOKENS;
    int status = EXIT_SUCCESS;
    for (int i = 0; i < count && status == EXIT_SUCCESS && !interrupted; i++) {
        // The samples of --sample-seed N have the seeds N, N + 1, ...: they differ from each other,
        // but every execution of the program prints the same samples.
        double seed = a->sample_seed < 0 ? -1 : a->sample_seed + i;
        int length = gpt_sample(trainer, prompt, strlen(prompt), most, temperature, a->top_k,
                                a->top_p, seed, out, SAMPLE_BYTES);
        // GPT_E_LONG cannot mean that the prompt is too long, because check_prompt has accepted it:
        // the sampler's buffer for the text is full.
        if (length == GPT_E_LONG) {
            length = gpt_sample_text(gpt_trainer_sampler(trainer), out, SAMPLE_BYTES);
            (void)fprintf(stderr, "sample %d ends at the longest that a text can be\n", i + 1);
        }
        if (length < 0) {
            status = complain_of_trainer("sample", trainer);
        } else {
            (void)printf("sample %2d: %s", i + 1, prompt);
            (void)fwrite(out, 1, (size_t)length, stdout);
            (void)putchar('\n');
        }
    }
    free(out);
    return status;
}

/* ---- Main ------------------------------------------------------------------------------------ */

/* Creates the trainer: for a new run, or from the file of --load, --hf or --raw. Sets *status to an
 * exit status. Returns NULL on failure. */
static gpt_trainer *open_trainer(gpt_config *config, const arguments *a, training_text *given,
                                 int *status) {
    if (a->load || a->hf || a->raw) {
        gpt_trainer *trainer = load_trainer(config, a, given);
        *status = trainer ? EXIT_SUCCESS : EXIT_FAILED;
        return trainer;
    }
    const contents *text = choose_text(a, given, (text_claim){0});
    *status = !text    ? EXIT_FAILED
              : a->fit ? fit_recipe(config, a->fit_version, text)
                       : EXIT_SUCCESS;
    *status = *status == EXIT_SUCCESS ? apply_settings(config, a) : *status;
    gpt_trainer *trainer = *status == EXIT_SUCCESS
                               ? gpt_trainer_create(config, text->bytes, text->size)
                               : NULL;
    if (*status == EXIT_SUCCESS && !trainer) {
        *status = complain_of_config("this cannot be trained", config);
    }
    return trainer;
}

/* Called before training: checks the exports and the prompt, and reserves disk space. */
static int check_run(gpt_trainer *trainer, const arguments *a) {
    int status = check_exports(trainer, a);
    status = status == EXIT_SUCCESS && a->prompt ? check_prompt(trainer, a) : status;
    return status == EXIT_SUCCESS ? reserve_outputs(trainer, a) : status;
}

/* Writes the files that the flags name, even if training failed. If one file cannot be written,
 * still writes the others. */
static int save(gpt_trainer *trainer, const arguments *a) {
    bool saved = a->save && save_checkpoint(trainer, a->save) == EXIT_SUCCESS;
    if (saved) {
        (void)fprintf(stderr, "saved to %s, after step %.0f\n", a->save,
                      gpt_trainer_get(trainer, "step"));
    }
    bool proven = a->receipt && save_receipt(trainer, a->receipt) == EXIT_SUCCESS;
    int exported = 0;
    for (int i = 0; i < a->export_count; i++) {
        exported += export_model(trainer, a, i) == EXIT_SUCCESS;
    }
    if (interrupted) {
        (void)fputs(saved ? "go on with --load and the same --data\n"
                    : proven || exported
                        ? "no checkpoint was saved to go on with: --save FILE would have\n"
                        : "nothing was saved: --save FILE would have\n",
                    stderr);
    }
    bool lost = (a->save && !saved) || (a->receipt && !proven) || exported < a->export_count;
    return lost ? EXIT_FAILED : EXIT_SUCCESS;
}

/* Checks the flags that need a trainer, trains, writes the files and prints samples. Returns the
 * exit status of the program. */
static int run(gpt_trainer *trainer, const arguments *a) {
    int status = check_run(trainer, a);
    if (status != EXIT_SUCCESS) {
        return status;
    }
    describe(trainer, a);
    bool diverged = a->data && train(trainer, a) != EXIT_SUCCESS;
    if (interrupted) {
        (void)fprintf(stderr, "interrupted after step %.0f\n", gpt_trainer_get(trainer, "step"));
    }
    status = save(trainer, a);
    if (diverged) {
        return EXIT_FAILED;
    }
    // Training with the preset microgpt ends with 20 samples unless --samples is given, also in a
    // run resumed without --preset: the trainer knows its preset.
    bool closing = a->data && strcmp(gpt_trainer_preset(trainer), "microgpt") == 0;
    int samples = a->samples >= 0 ? a->samples : closing ? MICROGPT_SAMPLES : a->prompt || !a->data;
    double temperature = a->temperature >= 0 ? a->temperature : closing ? 0.5 : 0.8;
    if (!interrupted) {
        status = sample(trainer, a, samples, temperature) == EXIT_SUCCESS ? status : EXIT_FAILED;
    }
    return status == EXIT_SUCCESS && interrupted ? EXIT_INTERRUPTED : status;
}

/* Starts the number of threads that --threads sets, by default one for each core; at most 16. */
static void use_threads(const arguments *a) {
    (void)gpt_threads_use(a->threads ? a->threads : (int)sysconf(_SC_NPROCESSORS_ONLN));
}

/* Flushes standard output. Returns `status`, or EXIT_FAILED if `status` is EXIT_SUCCESS but some
 * output could not be written. */
static int finish_output(int status) {
    // fflush reports a failure of this flush, ferror a failure of an earlier write.
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    return lost && status == EXIT_SUCCESS ? complain("standard output", "cannot be written")
                                          : status;
}

int main(int count, char **words) {
    arguments a;
    bool done = false;
    training_text text = {0};
    int status = read_arguments(&a, count, words, &done);
    if (status != EXIT_SUCCESS || done) {
        return finish_output(status);
    }
    gpt_config *config = gpt_config_create(a.preset ? a.preset : "tinygpt");
    if (!config) {
        (void)complain("no such preset (tinygpt, microgpt, gpt2)", a.preset);
        return EXIT_USAGE;
    }
    // The memory limit is the physical memory: the default limit suits 32-bit WebAssembly.
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    (void)gpt_config_set_memory_limit(config, memory);
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ); // so that a pipe receives each line at once
    status = a.data ? read_file(a.data, &text.raw) : EXIT_SUCCESS;
    status = status == EXIT_SUCCESS ? check_targets(&a) : status;
    bool trains = status == EXIT_SUCCESS && !a.verify;
    if (status == EXIT_SUCCESS && a.verify) {
        use_threads(&a);
        status = verify_receipt(config, &a, &text);
        gpt_threads_stop();
    }
    gpt_trainer *trainer = trains ? open_trainer(config, &a, &text, &status) : NULL;
    bool asks = a.trace || a.baselines;
    if (trainer && asks) {
        status = ask_text(trainer, &a, chosen_text(&text));
        gpt_trainer_free(trainer);
    }
    free_text(&text);
    gpt_config_free(config);
    if (trainer && !asks) {
        watch_signals();
        use_threads(&a);
        status = run(trainer, &a);
        gpt_threads_stop();
        gpt_trainer_free(trainer);
    }
    return finish_output(status);
}

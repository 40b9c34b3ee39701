/* snapshot.c - see snapshot.h. A snapshot may have been damaged in the storage of a browser, so its
 * header and its list of option changes are checked before the trainer is modified. */
#include "train/snapshot.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

/* Identifies this layout of a snapshot: "moment1" in ASCII. A new layout needs a new value. */
static const uint64_t SNAPSHOT_MAGIC = 0x31746e656d6f6d00u;

/* The header of a snapshot. After the header come the option changes, the losses and, for each
 * parameter, the weights and AdamW's two moments. Programs outside the engine compare the first and
 * the third 64-bit word, `magic` and `run` (web/engine/kept-snapshots.ts). */
enum { FIELDS = 6 }; /* number of members of run_state that a snapshot stores (IN_SNAPSHOT) */
typedef struct snapshot_head {
    uint64_t magic, bytes;
    uint64_t run;            /* identify_run: a hash of all that cannot change during the run */
    uint64_t fields[FIELDS]; /* members of run_state, in the order of the table RUN_FIELDS */
    uint64_t change_count;
    double last[3]; /* loss, learning rate and gradient norm of the last step (run_state.last) */
    /* Present values of all options. Only options that may change during a run (live) are
     * restored. */
    double options[OPT_COUNT];
} snapshot_head;

/* Returns a hash of all that cannot change during a run: the options that are not live, the
 * left-out bytes (which training never reads), the text, the parent (the run whose weights a fork
 * began with) and the number of weights. */
static uint64_t identify_run(const trainer *t) {
    struct {
        double options[OPT_COUNT];
        uint64_t text_hash, text_bytes, weights, left_out;
    } run;
    memset(&run, 0, sizeof run);
    const config *c = &t->net.options;
    for (int i = 0; i < OPT_COUNT; i++) {
        run.options[i] = CONFIG_ROWS[i].use & LIVE ? 0 : c->value[i];
    }
    run.text_hash = t->state.text_hash;
    run.text_bytes = t->state.text_bytes;
    if (t->state.parent.runs) {
        run.text_hash ^= hash_fnv1a((const char *)t->state.parent.digest, SHA256_BYTES);
    }
    run.weights = t->net.weights;
    run.left_out = hash_fnv1a((const char *)c->left_out.ranges,
                              c->left_out.count * sizeof *c->left_out.ranges);
    return hash_fnv1a((const char *)&run, sizeof run);
}

/* read_fields copies the members of run_state that snapshots store (IN_SNAPSHOT) to the header of a
 * snapshot; write_fields copies them from the header to a run_state. */
static void read_fields(snapshot_head *head, const run_state *from) {
    const run_field *field;
    for (int i = 0; (field = run_field_at(IN_SNAPSHOT, i + 1)) != NULL; i++) {
        assert(i < FIELDS);
        memcpy(&head->fields[i], (const char *)from + field->offset, sizeof *head->fields);
    }
}

static void write_fields(run_state *to, const snapshot_head *head) {
    const run_field *field;
    for (int i = 0; (field = run_field_at(IN_SNAPSHOT, i + 1)) != NULL; i++) {
        memcpy((char *)to + field->offset, &head->fields[i], sizeof *head->fields);
    }
    memcpy(to->last, head->last, sizeof head->last);
}

static uint64_t bytes_of(uint64_t changes, uint64_t losses, uint64_t weights) {
    return sizeof(snapshot_head) + changes * sizeof(config_change) + losses * sizeof(float) +
           3 * weights * sizeof(real);
}

size_t snapshot_bytes(const trainer *t) {
    // The size of a snapshot cannot overflow size_t: apart from its header, a snapshot copies
    // arrays that are all in memory.
    return t->frozen
               ? 0
               : (size_t)bytes_of(t->state.changes.count, t->state.loss_count, t->net.weights);
}

static unsigned char *put(unsigned char *at, const void *from, size_t bytes) {
    if (bytes) {
        memcpy(at, from, bytes);
    }
    return at + bytes;
}

static size_t bytes_of_param(const param *p) {
    return (size_t)tensor_rows(&p->value) * (size_t)tensor_last(&p->value) * sizeof(real);
}

void snapshot_write(const trainer *t, unsigned char *out) {
    const change_log *log = &t->state.changes;
    snapshot_head head;
    memset(&head, 0, sizeof head);
    head.magic = SNAPSHOT_MAGIC;
    head.bytes = snapshot_bytes(t);
    head.run = identify_run(t);
    read_fields(&head, &t->state);
    head.change_count = log->count;
    memcpy(head.last, t->state.last, sizeof head.last);
    memcpy(head.options, t->net.options.value, sizeof head.options);
    out = put(out, &head, sizeof head);
    for (size_t i = 0; i < log->count; i++) {
        config_change change;
        // clears the padding bytes of the struct, so that equal states have equal snapshots
        memset(&change, 0, sizeof change);
        change.step = log->items[i].step;
        change.option = log->items[i].option;
        change.before = log->items[i].before;
        change.after = log->items[i].after;
        out = put(out, &change, sizeof change);
    }
    out = put(out, t->losses, (size_t)t->state.loss_count * sizeof(float));
    for (int i = 0; i < t->net.count; i++) {
        const param *p = &t->net.params[i];
        out = put(out, p->value.data, bytes_of_param(p));
        out = put(out, p->moment1, bytes_of_param(p));
        out = put(out, p->moment2, bytes_of_param(p));
    }
}

static bool is_live_value(int option, double value) {
    const config_row *row = &CONFIG_ROWS[option];
    return (row->use & LIVE) && value >= row->min && value <= row->max;
}

/* Checks the header of a snapshot of `bytes` bytes. The snapshot must be of the same run as `t`,
 * and `stored`, the state read from the header, must be a state that this run can have. */
static bool is_possible(const snapshot_head *head, const run_state *stored, const trainer *t,
                        size_t bytes) {
    uint64_t documents = t->data.train_documents, stride = stored->loss_stride;
    bool live = true;
    for (int i = 0; i < OPT_COUNT; i++) {
        live = live && (!(CONFIG_ROWS[i].use & LIVE) || is_live_value(i, head->options[i]));
    }
    return live && head->magic == SNAPSHOT_MAGIC && head->bytes == bytes &&
           head->run == identify_run(t) && head->change_count <= CHANGES_MAX &&
           stored->stream.state != 0 &&
           (documents ? stored->cursor < documents : stored->cursor == 0) && stride > 0 &&
           (stride & (stride - 1)) == 0 && stored->loss_count <= LOSSES_MAX &&
           stored->loss_count == stored->step / stride + (stored->step % stride != 0) &&
           bytes == bytes_of(head->change_count, stored->loss_count, t->net.weights);
}

/* Reads `count` option changes from the array `from` into an empty log. Errors: GPT_E_SNAPSHOT if a
 * run that has done `step` steps cannot have these changes, GPT_E_ALLOCATION. */
static int read_changes(change_log *log, const unsigned char *from, uint64_t count, uint64_t step,
                        gpt_error *error) {
    uint64_t last = 0;
    for (uint64_t i = 0; i < count; i++) {
        config_change change;
        memcpy(&change, from + i * sizeof change, sizeof change);
        if (change.option < 0 || change.option >= OPT_COUNT || change.step < last ||
            change.step > step || !is_live_value(change.option, change.before) ||
            !is_live_value(change.option, change.after)) {
            return gpt_fail_name(error, GPT_E_SNAPSHOT, "changes");
        }
        last = change.step;
        int status = changes_note(log, change.step, change.option, change.before, change.after,
                                  error);
        if (status < 0) {
            return status;
        }
    }
    return GPT_OK;
}

int snapshot_restore(trainer *t, const unsigned char *snapshot, size_t bytes, gpt_error *error) {
    snapshot_head head;
    if (t->frozen || bytes < sizeof head) {
        return gpt_fail_name(error, GPT_E_SNAPSHOT, "head");
    }
    memcpy(&head, snapshot, sizeof head);
    run_state restored = t->state;
    write_fields(&restored, &head);
    if (!is_possible(&head, &restored, t, bytes)) {
        return gpt_fail_name(error, GPT_E_SNAPSHOT, "head");
    }
    const unsigned char *from = snapshot + sizeof head;
    restored.changes = (change_log){0};
    int status = read_changes(&restored.changes, from, head.change_count, restored.step, error);
    if (status < 0) {
        changes_close(&restored.changes);
        return status;
    }
    from += head.change_count * sizeof(config_change);
    changes_close(&t->state.changes);
    for (int i = 0; i < OPT_COUNT; i++) {
        if (CONFIG_ROWS[i].use & LIVE) {
            t->net.options.value[i] = head.options[i];
        }
    }
    restored.initial = t->net.options;
    changes_undo(&restored.changes, &restored.initial);
    t->state = restored;
    size_t losses = (size_t)restored.loss_count * sizeof(float);
    memcpy(t->losses, from, losses);
    from += losses;
    for (int i = 0; i < t->net.count; i++) {
        const param *p = &t->net.params[i];
        real *into[] = {p->value.data, p->moment1, p->moment2};
        for (int part = 0; part < 3; part++) {
            memcpy(into[part], from, bytes_of_param(p));
            from += bytes_of_param(p);
        }
    }
    return GPT_OK;
}

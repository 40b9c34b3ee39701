/* snapshot.c - see snapshot.h. A snapshot may come back from a browser's storage, so that everything in
 * it is checked before anything is changed. */
#include "train/snapshot.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* "snapshot" and the version of this form. */
static const uint64_t MAGIC = 0x31746e656d6f6d00u;

/* What stands before changes, losses and numbers. */
typedef struct snapshot_head {
    uint64_t magic, bytes;
    uint64_t run; /* tells recipe and text apart, see name_run */
    uint64_t step, cursor, tokens_seen, stream;
    uint64_t loss_count, loss_stride, change_count;
    double last[3];
    double options[OPT_COUNT]; /* of now; only live ones are put back */
} snapshot_head;

/* Recipe but for what may change during a run, text, parent, and size of the model, as one
 * number. */
static uint64_t name_run(const trainer *t) {
    struct {
        double options[OPT_COUNT];
        uint64_t text_hash, text_bytes, weights, left_out;
    } named;
    memset(&named, 0, sizeof named);
    const config *c = &t->net.options;
    for (int i = 0; i < OPT_COUNT; i++) {
        named.options[i] = CONFIG_ROWS[i].use & LIVE ? 0 : c->value[i];
    }
    named.text_hash = t->state.text_hash;
    named.text_bytes = t->state.text_bytes;
    if (t->state.parent.runs) {
        named.text_hash ^= hash_fnv1a((const char *)t->state.parent.digest, SHA256_BYTES);
    }
    named.weights = t->net.weights;
    named.left_out = hash_fnv1a((const char *)c->left_out.ranges,
                                c->left_out.count * sizeof *c->left_out.ranges);
    return hash_fnv1a((const char *)&named, sizeof named);
}

static snapshot_head head_of(const trainer *t) {
    snapshot_head head;
    memset(&head, 0, sizeof head);
    head.magic = MAGIC;
    head.run = name_run(t);
    head.step = t->state.step;
    head.cursor = t->state.cursor;
    head.tokens_seen = t->state.tokens_seen;
    head.stream = t->state.stream.state;
    head.loss_count = t->state.loss_count;
    head.loss_stride = t->state.loss_stride;
    head.change_count = t->state.changes.count;
    memcpy(head.last, t->state.last, sizeof head.last);
    memcpy(head.options, t->net.options.value, sizeof head.options);
    return head;
}

/* Of a snapshot with this head, for a model of `weights`. */
static uint64_t bytes_of(const snapshot_head *head, uint64_t weights) {
    return sizeof *head + head->change_count * sizeof(config_change) +
           head->loss_count * sizeof(float) + 3 * weights * sizeof(real);
}

size_t snapshot_bytes(const trainer *t) {
    if (t->frozen) {
        return 0;
    }
    snapshot_head head = head_of(t);
    // It fits: gradients and weights of the model take more, and are in memory.
    return (size_t)bytes_of(&head, t->net.weights);
}

static unsigned char *put(unsigned char *at, const void *from, size_t bytes) {
    if (bytes) {
        memcpy(at, from, bytes);
    }
    return at + bytes;
}

void snapshot_write(const trainer *t, unsigned char *out) {
    snapshot_head head = head_of(t);
    head.bytes = bytes_of(&head, t->net.weights);
    out = put(out, &head, sizeof head);
    for (size_t i = 0; i < head.change_count; i++) {
        config_change change;
        memset(&change, 0, sizeof change); // padding too: equal snapshots have equal bytes
        change.step = t->state.changes.items[i].step;
        change.option = t->state.changes.items[i].option;
        change.before = t->state.changes.items[i].before;
        change.after = t->state.changes.items[i].after;
        out = put(out, &change, sizeof change);
    }
    out = put(out, t->losses, (size_t)head.loss_count * sizeof(float));
    for (int i = 0; i < t->net.count; i++) {
        const param *p = &t->net.params[i];
        size_t bytes = (size_t)tensor_rows(&p->value) * (size_t)tensor_last(&p->value) *
                       sizeof(real);
        out = put(out, p->value.data, bytes);
        out = put(out, p->moment1, bytes);
        out = put(out, p->moment2, bytes);
    }
}

static bool is_value(int option, double value) {
    return value >= CONFIG_ROWS[option].min && value <= CONFIG_ROWS[option].max;
}

/* Whether each value of what may change during a run is one of its option. */
static bool are_live_values(const double *options) {
    for (int i = 0; i < OPT_COUNT; i++) {
        if ((CONFIG_ROWS[i].use & LIVE) && !is_value(i, options[i])) {
            return false;
        }
    }
    return true;
}

/* What of a head would make a trainer do what no run does. */
static bool is_head_of(const snapshot_head *head, const trainer *t, size_t bytes) {
    uint64_t documents = t->data.train_documents, stride = head->loss_stride;
    return head->magic == MAGIC && head->bytes == bytes && head->run == name_run(t) &&
           head->stream != 0 && head->change_count <= CHANGES_MAX &&
           (documents ? head->cursor < documents : head->cursor == 0) && stride > 0 &&
           (stride & (stride - 1)) == 0 && head->loss_count <= LOSSES_MAX &&
           head->loss_count == head->step / stride + (head->step % stride != 0) &&
           bytes == bytes_of(head, t->net.weights) && are_live_values(head->options);
}

/* The log that the bytes at `from` hold; false if no run can have had it, or memory is short. */
static int read_changes(change_log *log, const unsigned char *from, uint64_t count, uint64_t step,
                        gpt_error *error) {
    uint64_t last = 0;
    for (uint64_t i = 0; i < count; i++) {
        config_change change;
        memcpy(&change, from + i * sizeof change, sizeof change);
        bool is_option = change.option >= 0 && change.option < OPT_COUNT &&
                         (CONFIG_ROWS[change.option].use & LIVE) != 0;
        bool is_change = is_option && is_value(change.option, change.before) &&
                         is_value(change.option, change.after);
        if (!is_change || change.step < last || change.step > step) {
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
    if (!is_head_of(&head, t, bytes)) {
        return gpt_fail_name(error, GPT_E_SNAPSHOT, "head");
    }
    const unsigned char *from = snapshot + sizeof head;
    change_log changes = {0};
    int status = read_changes(&changes, from, head.change_count, head.step, error);
    if (status < 0) {
        changes_close(&changes);
        return status;
    }
    from += head.change_count * sizeof(config_change);
    changes_close(&t->state.changes);
    t->state.changes = changes;
    for (int i = 0; i < OPT_COUNT; i++) {
        if (CONFIG_ROWS[i].use & LIVE) {
            t->net.options.value[i] = head.options[i];
        }
    }
    t->state.begun = t->net.options;
    changes_undo(&t->state.changes, &t->state.begun);
    t->state.step = head.step;
    t->state.cursor = head.cursor;
    t->state.tokens_seen = head.tokens_seen;
    t->state.stream.state = head.stream;
    t->state.loss_count = head.loss_count;
    t->state.loss_stride = head.loss_stride;
    memcpy(t->state.last, head.last, sizeof head.last);
    memcpy(t->losses, from, (size_t)head.loss_count * sizeof(float));
    from += head.loss_count * sizeof(float);
    for (int i = 0; i < t->net.count; i++) {
        const param *p = &t->net.params[i];
        size_t each = (size_t)tensor_rows(&p->value) * (size_t)tensor_last(&p->value) *
                      sizeof(real);
        memcpy(p->value.data, from, each);
        memcpy(p->moment1, from + each, each);
        memcpy(p->moment2, from + 2 * each, each);
        from += 3 * each;
    }
    return GPT_OK;
}

/* status.h - the one list of everything that can go wrong, and the detail a handle keeps of it.
 *
 * Owns: status codes, their names for other languages, their English text. Every function of the
 * engine that can fail returns `>= 0` for a value or success and one of these negative codes
 * otherwise. The page keeps its own texts, in the reader's language, under the same names.
 * Invariant: a code, once published, keeps its number and name.
 */
#ifndef GLASSHOUSE_STATUS_H
#define GLASSHOUSE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/* X(symbol, code, name, English text). In the text, {0} {1} {2} stand for the numbers of the
 * detail and {name} for its word (an option, a character): never a sentence, which the page
 * could not translate. */
#define GPT_STATUS_LIST(X)                                                                         \
    X(OK, 0, "ok", "done")                                                                         \
    X(FINISHED, 1, "finished", "the planned steps are done: raise `steps` to train further")       \
    X(END, 2, "end", "the text is complete")                                                       \
    X(E_ARGUMENT, -1, "argument", "an argument is missing or out of range: {name}")                \
    X(E_MEMORY, -2, "memory",                                                                      \
      "this needs {0} bytes and only {1} may be used: choose fewer channels, layers, or a "        \
      "smaller "                                                                                   \
      "batch or context")                                                                          \
    X(E_ALLOCATION, -3, "allocation",                                                              \
      "the system refused {0} bytes of memory: close something or "                                \
      "choose a smaller model")                                                                    \
    X(E_OPTION, -4, "option", "there is no option called {name}")                                  \
    X(E_RANGE, -5, "range", "{name} is {0}, but must be from {1} to {2}")                          \
    X(E_WHOLE, -6, "whole", "{name} is {0}, but must be a whole number")                           \
    X(E_HEADS, -7, "heads",                                                                        \
      "{0} channels cannot be shared equally by {1} heads: choose heads that "                     \
      "divide the channels")                                                                       \
    X(E_EMPTY, -8, "empty", "the text is empty: paste or choose some text to learn from")          \
    X(E_SHORT, -9, "short",                                                                        \
      "the text makes {0} of the {2} tokens that a context of {1} needs at least: add text or "    \
      "choose a shorter context")                                                                  \
    X(E_CHARACTER, -10, "character",                                                               \
      "the text that it learned from has no {name} (U+{0}), so the model has no token for it: "    \
      "use other characters, or train on text that has it")                                        \
    X(E_LONG, -11, "long", "that is {0} tokens, but there is room for {1}: use a shorter text")    \
    X(E_DIVERGED, -12, "diverged",                                                                 \
      "the loss stopped being a number at step {0}: rewind and choose a smaller learning rate")    \
    X(E_FIXED, -13, "fixed", "{name} cannot change during a run: start a new one with it")         \
    X(E_CAPACITY, -14, "capacity", "the buffer has {1} bytes, but {0} are needed")                 \
    X(E_STATE, -15, "state", "this call came out of order: {name}")                                \
    X(E_VOCABULARY, -16, "vocabulary",                                                             \
      "the text has {0} different characters, but at most {1} fit: choose the byte tokenizer")     \
    X(E_PRESET, -17, "preset", "there is no preset called {name}")                                 \
    X(E_TEXT_SIZE, -18, "text-size",                                                               \
      "the text has {0} bytes, but at most {1} can be used: choose a part of it")                  \
    X(E_LEFT_OUT_RANGE, -19, "left-out-range",                                                     \
      "this is no range of bytes to leave out: {name}; write from:to, such as 812:840, counted "   \
      "from 0, with `from` below `to`, and commas between ranges")                                 \
    X(E_LEFT_OUT_COUNT, -20, "left-out-count",                                                     \
      "more than {0} separate ranges are to be left out: choose ranges that lie side by side, or " \
      "fewer")                                                                                     \
    X(E_LEFT_OUT_END, -21, "left-out-end",                                                         \
      "byte {0} is to be left out, but the text has {1} bytes: choose ranges within the text")     \
    X(E_LEFT_OUT_ALL, -22, "left-out-all",                                                         \
      "too much is left out: {0} of {1} places to train on remain, and one in 1000 is needed; "    \
      "leave less out, or choose a shorter context")                                               \
    X(E_FILE, -40, "file", "this is no file of the expected kind, or it is damaged: {name}")       \
    X(E_TRUNCATED, -41, "truncated", "the file has {0} bytes where its header speaks of {1}")      \
    X(E_TENSOR_MISSING, -42, "tensor-missing",                                                     \
      "the file has no tensor {name}, which this model needs")                                     \
    X(E_TENSOR_EXTRA, -43, "tensor-extra",                                                         \
      "the file has a tensor {name}, which this model does not know")                              \
    X(E_TENSOR_SHAPE, -44, "tensor-shape",                                                         \
      "a tensor has another shape than this model needs: {name}")                                  \
    X(E_TENSOR_TYPE, -45, "tensor-type",                                                           \
      "a tensor has a number type that cannot be used there: {name}")                              \
    X(E_UNSUPPORTED, -46, "unsupported", "the file asks for {name}, which is not supported")       \
    X(E_TEXT_DIFFERS, -47, "text-differs",                                                         \
      "this is not the text that the run learned from ({0} bytes): give that text to go on, or "   \
      "train the weights on the new one")                                                          \
    X(E_NO_TEXT, -48, "no-text",                                                                   \
      "this model was loaded to generate only: load it with a text to train it")                   \
    X(E_NO_RUN, -49, "no-run",                                                                     \
      "the file holds weights but no run to go on with: train its weights, or generate")           \
    X(E_VOCABULARY_FILE, -50, "vocabulary-file",                                                   \
      "the file has {0} tokens but does not say which: give vocab.json and merges.txt too")        \
    X(E_EXPORT, -51, "export",                                                                     \
      "GPT-2 in transformers has no place for {name}: choose ONNX, which has one for every "       \
      "recipe, "                                                                                   \
      "or save a checkpoint and open it with the PyTorch module")                                  \
    X(E_ORIGIN, -52, "origin",                                                                     \
      "the first weights of this run came from a file: load it again to start over")               \
    X(E_CHOICE, -53, "choice", "not a value of this option: {name}")                               \
    X(E_PART_SIZE, -54, "part-size", "{name} has {0} bytes where {1} are announced")               \
    X(E_CHANGES, -55, "changes",                                                                   \
      "options were changed {0} times in this run, and no more changes can be kept: start a new "  \
      "one with {name}")                                                                           \
    X(E_RECEIPT, -56, "receipt", "this is no receipt of a run, or it is damaged: {name}")          \
    X(E_RECEIPT_ENGINE, -57, "receipt-engine",                                                     \
      "the receipt is of engine {0}, and this is engine {1}: their bits differ")                   \
    X(E_RECEIPT_ORIGIN, -58, "receipt-origin",                                                     \
      "the run of this receipt began with weights from a file: its text alone cannot repeat it")   \
    X(E_VOCABULARY_SIZE, -59, "vocabulary-size",                                                   \
      "the model has rows for {0} tokens and the vocabulary has {1}: choose files that belong "    \
      "together")                                                                                  \
    X(E_BPE_JSON, -60, "bpe-json",                                                                 \
      "{name} cannot be read at byte {0}: it must be one object of tokens and their ids")          \
    X(E_BPE_SIZE, -61, "bpe-size", "{name} has more than {0} entries")                             \
    X(E_BPE_ID, -62, "bpe-id",                                                                     \
      "{name} gives the id {0}: ids must be whole numbers from 0 to {1}, each of one token")       \
    X(E_BPE_TOKEN_LENGTH, -63, "bpe-token-length",                                                 \
      "{name}: token {0} must have from {1} to {2} bytes")                                         \
    X(E_BPE_TOKEN_TWICE, -65, "bpe-token-twice",                                                   \
      "the vocabulary's tokens {0} and {1} are the same")                                          \
    X(E_BPE_BYTE, -66, "bpe-byte", "the vocabulary has no token for the single byte {0}")          \
    X(E_BPE_MERGE, -67, "bpe-merge",                                                               \
      "line {0} of the merges: this is not two tokens with one space between them")                \
    X(E_BPE_MERGE_UNKNOWN, -68, "bpe-merge-unknown",                                               \
      "line {0} of the merges: the vocabulary has no token {name}")                                \
    X(E_BPE_MERGE_TWICE, -69, "bpe-merge-twice", "line {0} of the merges: this pair came before")  \
    X(E_FILE_HEADER, -71, "file-header",                                                           \
      "this is no model file, or its header is damaged: get it again")                             \
    X(E_FILE_LONG, -72, "file-long",                                                               \
      "the file has more bytes than its header speaks of: get it again")                           \
    X(E_TENSOR_BYTES, -73, "tensor-bytes",                                                         \
      "the file is damaged: the bytes of the tensor {name} do not make its shape")                 \
    X(E_TENSOR_PLACE, -74, "tensor-place",                                                         \
      "the file is damaged: the bytes of the tensor {name} overlap others or leave a gap")         \
    X(E_TENSOR_TWICE, -75, "tensor-twice",                                                         \
      "the file is damaged: it has two tensors called {name}")                                     \
    X(E_TENSOR_TIED, -76, "tensor-tied",                                                           \
      "the tensor {name} differs from the token table that it is tied to")                         \
    X(E_TENSOR_NUMBER, -77, "tensor-number",                                                       \
      "the tensor {name} holds values that are not finite numbers: choose another file")           \
    X(E_NOT_FINITE, -78, "not-finite",                                                             \
      "the model's numbers are not finite, first in {name} at token {0}: its weights are too "     \
      "large, so choose another file, or rewind and choose a smaller learning rate")               \
    X(E_FILE_POINTER, -79, "file-pointer",                                                         \
      "this is only a pointer of Git LFS to the model: get the file itself with `git lfs pull`")   \
    X(E_FILE_PICKLE, -80, "file-pickle",                                                           \
      "this is a PyTorch file (pickle), which can run code when it is read: save the model as "    \
      "model.safetensors first, with save_pretrained in transformers")                             \
    X(E_SNAPSHOT, -81, "moment",                                                                   \
      "this is no moment of this run, or it is damaged ({name}): train up to that step again")     \
    X(E_FORK, -82, "fork", "the run in this file cannot be repeated: train its weights instead")   \
    X(E_FORK_DEPTH, -83, "fork-depth",                                                             \
      "more than {0} runs came before, or too long ones: train the weights instead")               \
    X(E_RECEIPT_TEXT, -84, "receipt-text", "give the text of {0} bytes with the hash {name} too")  \
    X(E_FORMAT, -85, "door", "this form cannot say {name}: choose another, such as ONNX")          \
    X(E_FILE_WEB_PAGE, -86, "file-web-page",                                                       \
      "this is a web page and no model, usually an error page of the site that it was fetched "    \
      "from: get the file itself from that site")

#define GPT_STATUS_ENUM(symbol, code, name, text) GPT_##symbol = code,
enum gpt_status { GPT_STATUS_LIST(GPT_STATUS_ENUM) };
#undef GPT_STATUS_ENUM

/* What a handle remembers of its last failure. */
typedef struct gpt_error {
    int status;
    double value[3]; /* the numbers of the text, in order */
    char name[128];  /* the option, argument, character or tensor that it is about; may be empty */
} gpt_error;

#ifdef __cplusplus
extern "C" {
#endif

/* Records `status` with its detail in `error` (may be NULL) and returns `status`, so that a failing
 * function can `return gpt_fail(error, GPT_E_RANGE, "heads", 0, 1, 64);`. */
int gpt_fail(gpt_error *error, int status, const char *name, double v0, double v1, double v2);

/* The same for a status whose text has no numbers. */
int gpt_fail_name(gpt_error *error, int status, const char *name);

/* GPT_E_ALLOCATION: the system refused `bytes` bytes. */
int gpt_fail_allocation(gpt_error *error, uint64_t bytes);

/* The name of a status ("heads"), or "unknown". Static storage. */
const char *gpt_status_name(int status);

/* The English text of a status with its placeholders, or "". Static storage. */
const char *gpt_status_text(int status);

/* Writes the failure as one English sentence without control characters, NUL-terminated and cut at
 * `capacity`; returns the length that the whole sentence has. */
size_t gpt_error_message(const gpt_error *error, char *out, size_t capacity);

/* The same as JSON: {"status":-7,"code":"heads","name":"","values":[64,5,0],"message":"..."}. */
size_t gpt_error_json(const gpt_error *error, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif

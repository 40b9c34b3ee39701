/* status.h - the list of status codes, with their names and English texts.
 *
 * A function of the engine that can fail returns >= 0 (a value or success) or a negative code of
 * this list. Each code has a name, which clients use, and an English text, which the command line
 * prints. The page has its own texts in the reader's language under the same names.
 * Invariant: a published code keeps its number and its name.
 */
#ifndef GLASSHOUSE_STATUS_H
#define GLASSHOUSE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/* X(symbol, code, name, English text). The text says what happened, then what to do. Placeholders
 * in the text: {0} {1} {2} for the numbers of a failure (gpt_error.value; {0} of E_CHARACTER names
 * the character), {name} for its name (gpt_error.name: an option, a tensor). The name is never a
 * sentence, because the page could not translate it. */
#define GPT_STATUS_LIST(X)                                                                         \
    X(OK, 0, "ok", "done")                                                                         \
    X(FINISHED, 1, "finished", "the planned steps are done: raise `steps` to train further")       \
    X(END, 2, "end", "the work is complete")                                                       \
    X(E_ARGUMENT, -1, "argument", "an argument is missing or out of range: {name}")                \
    X(E_MEMORY, -2, "memory",                                                                      \
      "this needs {0} bytes of memory, but only {1} may be used: choose fewer channels or "        \
      "layers, or a smaller batch or context")                                                     \
    X(E_ALLOCATION, -3, "allocation",                                                              \
      "the system refused {0} bytes of memory: close other programs or choose a smaller model")    \
    X(E_OPTION, -4, "option", "there is no option called {name}")                                  \
    X(E_RANGE, -5, "range", "{name} is {0}, but must be from {1} to {2}")                          \
    X(E_WHOLE, -6, "whole", "{name} is {0}, but must be a whole number")                           \
    X(E_HEADS, -7, "heads",                                                                        \
      "{0} channels cannot be divided equally among {1} heads: choose a number of heads that "     \
      "divides the channels")                                                                      \
    X(E_EMPTY, -8, "empty", "the text is empty: choose or enter some text")                        \
    X(E_SHORT, -9, "short",                                                                        \
      "a context of {1} needs at least {2} tokens, but the text has only {0}: add text or "        \
      "choose a shorter context")                                                                  \
    X(E_CHARACTER, -10, "character",                                                               \
      "the model has no token for the {0}, which its training text does not contain: use other "   \
      "characters, or train on a text that contains it")                                           \
    X(E_LONG, -11, "long", "the text has {0} tokens, but at most {1} fit: use a shorter text")     \
    X(E_DIVERGED, -12, "diverged",                                                                 \
      "the loss or its gradient is not a finite number at step {0}: choose a smaller learning "    \
      "rate and continue from an earlier step, or start again")                                    \
    X(E_FIXED, -13, "fixed",                                                                       \
      "{name} cannot change during a run: start a new run with the new value")                     \
    X(E_CAPACITY, -14, "capacity",                                                                 \
      "the output buffer is too small: its capacity is {1}, but {0} is needed")                    \
    X(E_STATE, -15, "state",                                                                       \
      "this call is not possible now, because calls came in the wrong order: {name}")              \
    X(E_VOCABULARY, -16, "vocabulary",                                                             \
      "the text has {0} different characters, but a vocabulary can have at most {1}: choose "      \
      "the byte tokenizer")                                                                        \
    X(E_PRESET, -17, "preset", "there is no preset called {name}")                                 \
    X(E_TEXT_SIZE, -18, "text-size",                                                               \
      "the text has {0} bytes, but at most {1} can be used: use a part of it")                     \
    X(E_LEFT_OUT_RANGE, -19, "left-out-range",                                                     \
      "this is not a range of bytes: {name}; write from:to, such as 812:840, where bytes are "     \
      "counted from 0 and `from` is less than `to`, with commas between ranges")                   \
    X(E_LEFT_OUT_COUNT, -20, "left-out-count",                                                     \
      "more than {0} separate ranges are left out: choose fewer ranges, or ranges that touch "     \
      "each other")                                                                                \
    X(E_LEFT_OUT_END, -21, "left-out-end",                                                         \
      "byte {0} is in a range to leave out, but the text has {1} bytes: choose ranges within "     \
      "the text")                                                                                  \
    X(E_LEFT_OUT_ALL, -22, "left-out-all",                                                         \
      "too much text is left out: only {0} of {1} training windows or documents remain, but at "   \
      "least 1 in 1000 is needed; leave out less, or choose a shorter context")                    \
    X(E_FILE, -40, "file",                                                                         \
      "this is not a file of the expected kind, or it is damaged ({name}): choose another "        \
      "file, or get this one again")                                                               \
    X(E_TRUNCATED, -41, "truncated",                                                               \
      "the file has {0} bytes, but its header announces {1}: get the file again")                  \
    X(E_TENSOR_MISSING, -42, "tensor-missing",                                                     \
      "the file does not contain the tensor {name}, which this model needs: choose a file that "   \
      "belongs to this model")                                                                     \
    X(E_TENSOR_EXTRA, -43, "tensor-extra",                                                         \
      "the file contains the tensor {name}, which this model does not have: choose a file that "   \
      "belongs to this model")                                                                     \
    X(E_TENSOR_SHAPE, -44, "tensor-shape",                                                         \
      "a tensor does not have the shape that this model needs: {name}")                            \
    X(E_TENSOR_TYPE, -45, "tensor-type",                                                           \
      "a tensor has a number type that is not supported here: {name}")                             \
    X(E_UNSUPPORTED, -46, "unsupported",                                                           \
      "the file uses {name}, which is not supported: choose another file")                         \
    X(E_TEXT_DIFFERS, -47, "text-differs",                                                         \
      "this is not the text that the run was trained on ({0} bytes): use that text, or train "     \
      "the weights on this one in a new run")                                                      \
    X(E_NO_TEXT, -48, "no-text",                                                                   \
      "this model was loaded only to generate text: load it again with a text to train it")        \
    X(E_NO_RUN, -49, "no-run",                                                                     \
      "the file has weights but no run that can continue: train the weights in a new run, or "     \
      "generate text")                                                                             \
    X(E_VOCABULARY_FILE, -50, "vocabulary-file",                                                   \
      "the model has {0} tokens, but its file does not list them: add vocab.json and "             \
      "merges.txt")                                                                                \
    X(E_EXPORT, -51, "export",                                                                     \
      "GPT-2 in transformers does not support {name}: choose ONNX, which supports every "          \
      "recipe, or save a checkpoint and open it with the PyTorch module")                          \
    X(E_ORIGIN, -52, "origin", "this run began with a file: load the file again to start over")    \
    X(E_CHOICE, -53, "choice", "an option cannot have this value: {name}")                         \
    X(E_PART_SIZE, -54, "part-size",                                                               \
      "{name} has {0} bytes, but {1} are announced: get the file again")                           \
    X(E_CHANGES, -55, "changes",                                                                   \
      "options were changed {0} times in this run, the most that a run can record: start a new "   \
      "run to change {name}")                                                                      \
    X(E_RECEIPT, -56, "receipt",                                                                   \
      "this is not the receipt of a run, or it is damaged ({name}): get the receipt again")        \
    X(E_RECEIPT_ENGINE, -57, "receipt-engine",                                                     \
      "the receipt comes from engine {0}, but this is engine {1}, which computes other bits: "     \
      "use engine {0}")                                                                            \
    X(E_RECEIPT_ORIGIN, -58, "receipt-origin",                                                     \
      "the run of this receipt began with a file of weights or a vocabulary, so it cannot be "     \
      "replayed from its text alone")                                                              \
    X(E_VOCABULARY_SIZE, -59, "vocabulary-size",                                                   \
      "the model has {0} tokens, but the vocabulary has {1}: choose files that belong together")   \
    X(E_BPE_JSON, -60, "bpe-json",                                                                 \
      "{name} cannot be read at byte {0}, but must be a JSON object of tokens and their ids: get " \
      "the file again")                                                                            \
    X(E_BPE_SIZE, -61, "bpe-size",                                                                 \
      "{name} has more than {0} entries: choose a smaller vocabulary")                             \
    X(E_BPE_ID, -62, "bpe-id",                                                                     \
      "{name} contains the id {0}: ids must be whole numbers from 0 to {1}, each of a single "     \
      "token")                                                                                     \
    X(E_BPE_TOKEN_LENGTH, -63, "bpe-token-length",                                                 \
      "{name}: token {0} must have from {1} to {2} bytes")                                         \
    X(E_BPE_TOKEN_TWICE, -65, "bpe-token-twice",                                                   \
      "tokens {0} and {1} of the vocabulary are the same: remove one of them")                     \
    X(E_BPE_BYTE, -66, "bpe-byte",                                                                 \
      "the vocabulary has no token for the single byte {0}: choose a vocabulary with a token "     \
      "for every byte")                                                                            \
    X(E_BPE_MERGE, -67, "bpe-merge",                                                               \
      "line {0} of the merges is not two tokens with one space between them: correct the line")    \
    X(E_BPE_MERGE_UNKNOWN, -68, "bpe-merge-unknown",                                               \
      "line {0} of the merges uses the token {name}, which is not in the vocabulary: choose "      \
      "files that belong together")                                                                \
    X(E_BPE_MERGE_TWICE, -69, "bpe-merge-twice",                                                   \
      "line {0} of the merges repeats an earlier pair: remove one of the two lines")               \
    X(E_FILE_HEADER, -71, "file-header",                                                           \
      "this is not a model file, or its header is damaged: choose another file, or get this "      \
      "one again")                                                                                 \
    X(E_FILE_LONG, -72, "file-long",                                                               \
      "the file has more bytes than its header announces: get the file again")                     \
    X(E_TENSOR_BYTES, -73, "tensor-bytes",                                                         \
      "the file is damaged, because the size of the tensor {name} does not match its shape: "      \
      "get the file again")                                                                        \
    X(E_TENSOR_PLACE, -74, "tensor-place",                                                         \
      "the file is damaged, because the tensor {name} overlaps another one or leaves a gap: "      \
      "get the file again")                                                                        \
    X(E_TENSOR_TWICE, -75, "tensor-twice",                                                         \
      "the file is damaged, because it has two tensors called {name}: get the file again")         \
    X(E_TENSOR_TIED, -76, "tensor-tied",                                                           \
      "the tensor {name} must equal the token table that it is tied to, but differs from it: "     \
      "choose another file")                                                                       \
    X(E_TENSOR_NUMBER, -77, "tensor-number",                                                       \
      "the tensor {name} contains NaN or infinity: choose another file")                           \
    X(E_NOT_FINITE, -78, "not-finite",                                                             \
      "the model computes NaN or infinity, first in {name} at token {0}, because its weights "     \
      "are too large: choose another file, or train again with a smaller learning rate")           \
    X(E_FILE_POINTER, -79, "file-pointer",                                                         \
      "this is only a Git LFS pointer to the model: get the model itself with `git lfs pull`")     \
    X(E_FILE_PICKLE, -80, "file-pickle",                                                           \
      "this is a PyTorch file (pickle), which can run code when it is read, so it is not "         \
      "opened: save the model as model.safetensors first, with save_pretrained in transformers")   \
    X(E_SNAPSHOT, -81, "moment",                                                                   \
      "this is not a snapshot of this run, or it is damaged ({name}): train up to that step "      \
      "again")                                                                                     \
    X(E_FORK, -82, "fork",                                                                         \
      "the run in this file cannot be replayed, so it cannot be forked: train its weights in a "   \
      "new run instead")                                                                           \
    X(E_FORK_DEPTH, -83, "fork-depth",                                                             \
      "a fork can have at most {0} earlier runs, and their receipts must not be too long: begin "  \
      "a new run with these weights instead")                                                      \
    X(E_RECEIPT_TEXT, -84, "receipt-text",                                                         \
      "the receipt names a text that is missing: add the text of {0} bytes with the hash "         \
      "{name}")                                                                                    \
    X(E_FORMAT, -85, "door",                                                                       \
      "this format does not support {name}: choose another format, such as ONNX")                  \
    X(E_FILE_WEB_PAGE, -86, "file-web-page",                                                       \
      "this is a web page or an error message of a web server, not a model: download the model "   \
      "file itself")                                                                               \
    X(E_CONFIG_FILE, -87, "config-file",                                                           \
      "these are weights without the options of their model: add config.json and the tokenizer "   \
      "files from the same folder")                                                                \
    X(E_FILE_ZIP, -88, "file-zip",                                                                 \
      "this ZIP archive contains no PyTorch checkpoint: choose a model file (.safetensors, "       \
      ".gguf, .pt or .bin), and if it is packed in this archive, unpack it first")                 \
    X(E_FORMAT_BYTES, -89, "format-bytes",                                                         \
      "the text has bytes that are not UTF-8, for which this format has no tokens: save the text " \
      "as UTF-8 and train again, or train with bytes as tokens")

#define GPT_STATUS_ENUM(symbol, code, name, text) GPT_##symbol = code,
enum gpt_status { GPT_STATUS_LIST(GPT_STATUS_ENUM) };
#undef GPT_STATUS_ENUM

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the name of a status, such as "heads"; "unknown" for an unknown status. Static
 * storage. */
const char *gpt_status_name(int status);

/* Returns the English text of a status, placeholders included; "" for an unknown status. Static
 * storage. */
const char *gpt_status_text(int status);

#ifdef __cplusplus
}
#endif

#endif

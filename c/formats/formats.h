/* formats.h - the list of all formats of other programs, for export and for import.
 *
 * A format is a source file of this folder and a line in one of the two lists below. The public
 * functions (api/gpt_formats.h) and the fuzz targets find a format by its line; the command line
 * and the page have lists of their own (README.md).
 */
#ifndef GLASSHOUSE_FORMATS_H
#define GLASSHOUSE_FORMATS_H

#include "formats/write_plan.h"
#include "formats/foreign_reader.h"

/* X(name, plan): the files that are exported. `name` is the argument of gpt_export_open; `plan`
 * writes the plan of the file (write_plan.h). */
#define EXPORT_FORMATS(X)                                                                          \
    X("tokenizer.json", tokenizer_json_plan)                                                       \
    X("tokenizer_config.json", tokenizer_config_plan)                                              \
    X("special_tokens_map.json", special_tokens_map_plan)                                          \
    X("generation_config.json", generation_config_plan)                                            \
    X("template", template_plan)                                                                   \
    X("onnx", onnx_plan)                                                                           \
    X("onnx-plain", onnx_plain_plan)                                                               \
    X("onnx-config.json", onnx_config_plan)                                                        \
    X("config.json", hf_config_plan)                                                               \
    X("model.safetensors", hf_model_plan)                                                          \
    X("gguf", gguf_plan)                                                                           \
    X("gguf-f16", gguf_half_plan)

/* X(name, is, open): the formats that are imported. `is` recognises a file by its first bytes:
 * READER_FIRST_BYTES, or all of a shorter file. `open` requests the first range
 * (foreign_reader.h). */
#define IMPORT_FORMATS(X)                                                                          \
    X("llm.c", llmc_is, llmc_open)                                                                 \
    X("PyTorch", torch_is, torch_open)                                                             \
    X("GGUF", gguf_is, gguf_open)

/* tokenizer_json.c */
void tokenizer_json_plan(write_plan *p);
void tokenizer_config_plan(write_plan *p);
void special_tokens_map_plan(write_plan *p);
void generation_config_plan(write_plan *p);

/* template.c: model cards and the Modelfile of Ollama. */
void template_plan(write_plan *p);

/* onnx_write.c: the graph with a KV cache, the graph without a cache, and their config.json. */
void onnx_plan(write_plan *p);
void onnx_plain_plan(write_plan *p);
void onnx_config_plan(write_plan *p);

/* hf_write.c */
void hf_config_plan(write_plan *p);
void hf_model_plan(write_plan *p);

/* gguf_write.c */
void gguf_plan(write_plan *p);
void gguf_half_plan(write_plan *p);

/* gguf_read.c */
bool gguf_is(const unsigned char *first, size_t count);
int gguf_open(foreign_reader *r, gpt_error *error);

/* llmc.c */
bool llmc_is(const unsigned char *first, size_t count);
int llmc_open(foreign_reader *r, gpt_error *error);

/* torch.c */
bool torch_is(const unsigned char *first, size_t count);
int torch_open(foreign_reader *r, gpt_error *error);

#endif

/* card.c - what lies beside an exported model for people: a card that names it and tells how it is
 * opened, and Ollama's Modelfile. */
#include "formats/formats.h"

#include <string.h>

/* The name of the model's file. */
static const char *file_of(const write_plan *p, const char *usual) {
    return p->said->file ? p->said->file : usual;
}

/* How many tokens the programs are to write. */
static void put_tokens(text_buffer *out, const write_plan *p) {
    text_put(out, p->said->tokens ? p->said->tokens : "20");
}

void modelfile_plan(write_plan *p) {
    text_buffer *out = &p->bytes;
    text_put(out, "FROM ./");
    text_put(out, file_of(p, "model.gguf"));
    // Beyond the context there are no positions: the program would read past the table.
    text_put(out, "\nPARAMETER num_ctx ");
    text_put_number(out, p->model->options.value[OPT_CONTEXT]);
    // What the card says it writes, and no more than has room.
    text_put(out, "\nPARAMETER num_predict ");
    put_tokens(out, p);
    text_put(out, "\nPARAMETER temperature 0");
    // It goes on with a text: no words of a chat stand around it.
    text_put(out, "\nTEMPLATE \"{{ .Prompt }}\"\n");
}

/* "| name | value |" */
static void put_row(text_buffer *out, const char *name, const char *value) {
    text_put(out, "| ");
    text_put(out, name);
    text_put(out, " | ");
    text_put(out, value);
    text_put(out, " |\n");
}

/* Said by the client, or not at all. */
static void put_card_field(text_buffer *out, const char *name, const char *value) {
    if (value) {
        put_row(out, name, value);
    }
}

static void put_number_row(text_buffer *out, const char *name, double value) {
    char number[32];
    text_buffer buffer = text_begin(number, sizeof number);
    text_put_number(&buffer, value);
    text_end(&buffer);
    put_row(out, name, number);
}

/* The name that a value has among the choices of its option; "" if it is a number. */
static void find_choice(char out[32], const char *type, double value) {
    const char *choices = strcmp(type, "bool") == 0 ? "false|true" : strchr(type, '|') ? type : "";
    for (int i = 0; i < (int)value && *choices; i++) {
        choices += strcspn(choices, "|");
        choices += *choices == '|';
    }
    size_t length = strcspn(choices, "|");
    length = length < 31 ? length : 31;
    memcpy(out, choices, length);
    out[length] = 0;
}

/* All options of the recipe. */
static void put_recipe(text_buffer *out, const config *c) {
    text_put(out, "\n## Recipe\n\n| option | value |\n|---|---|\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        char choice[32];
        find_choice(choice, CONFIG_ROWS[i].type, c->value[i]);
        if (*choice) {
            put_row(out, CONFIG_ROWS[i].name, choice);
        } else {
            put_number_row(out, CONFIG_ROWS[i].name, c->value[i]);
        }
    }
}

/* A text as a block of code; what would end the block is taken out of it. */
static void put_block(text_buffer *out, const char *text) {
    text_put(out, "\n```text\n");
    for (; *text; text++) {
        text_put_bytes(out, *text == '`' ? "'" : text, 1);
    }
    text_put(out, "\n```\n");
}

/* The prompt in the quotes of Python, of JavaScript and, since clients choose one without signs of
 * a shell, of that. */
static void put_prompt(text_buffer *out, const write_plan *p) {
    text_put_json_string(out, p->said->prompt ? p->said->prompt : "");
}

/* A name in the quotes of a shell. */
static void put_quoted(text_buffer *out, const char *name, size_t length) {
    text_put(out, "'");
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '\'') {
            text_put(out, "'\\'");
        }
        text_put_bytes(out, name + i, 1);
    }
    text_put(out, "'");
}

static void put_card(write_plan *p) {
    text_buffer *out = &p->bytes;
    const run_state *run = &p->model->facts.run;
    const card_fields *said = p->said;
    text_put(out, "# A GPT grown with Glasshouse\n\n| | |\n|---|---|\n");
    put_number_row(out, "tokens it knows", p->model->vocab);
    put_number_row(out, "context in tokens", p->model->options.value[OPT_CONTEXT]);
    if (run->step) { // a model from elsewhere does not say
        put_number_row(out, "steps trained", (double)run->step);
    }
    if (run->text_bytes) {
        char hash[17];
        text_buffer buffer = text_begin(hash, sizeof hash);
        text_put_hex(&buffer, run->text_hash, 16);
        text_end(&buffer);
        put_row(out, "text it learned from (FNV-1a 64)", hash);
        put_number_row(out, "bytes of that text", (double)run->text_bytes);
    }
    put_card_field(out, "loss at the last step, nats a token", said->loss);
    put_card_field(out, "validation loss, nats a token", said->validation);
    put_card_field(out, "receipt", said->receipt);
    if (said->sample) {
        text_put(out, "\nAt temperature 0 it writes after ");
        put_prompt(out, p);
        text_put(out, ":\n");
        put_block(out, said->sample);
    }
    text_put(out, "\n## How it is opened\n");
}

/* The name of the Modelfile in the quotes of a shell: after that of the model's file, if it has one
 * of its own. */
static void put_modelfile(text_buffer *out, const write_plan *p) {
    const char *file = p->said->file, *end = file ? strrchr(file, '.') : NULL;
    if (!file) {
        text_put(out, "Modelfile");
        return;
    }
    put_quoted(out, file, end && end > file ? (size_t)(end - file) : strlen(file));
    text_put(out, ".Modelfile"); // a shell joins them
}

static void begin_block(text_buffer *out, const char *program, const char *language) {
    text_put(out, "\n");
    text_put(out, program);
    text_put(out, "\n\n```");
    text_put(out, language);
    text_put(out, "\n");
}

void card_gguf_plan(write_plan *p) {
    text_buffer *out = &p->bytes;
    put_card(p);
    begin_block(out, "llama.cpp:", "sh");
    text_put(out, "llama-completion -no-cnv -m ");
    const char *file = file_of(p, "model.gguf");
    put_quoted(out, file, strlen(file));
    text_put(out, " -c ");
    text_put_number(out, p->model->options.value[OPT_CONTEXT]);
    text_put(out, " --temp 0 -n ");
    put_tokens(out, p);
    text_put(out, " -p ");
    put_prompt(out, p);
    text_put(out, "\n```\n");
    begin_block(out, "Ollama, in the folder of the Modelfile:", "sh");
    text_put(out, "ollama create my-gpt -f ");
    put_modelfile(out, p);
    text_put(out, " && ollama run my-gpt ");
    put_prompt(out, p);
    text_put(
        out,
        "\n```\n\nIts Modelfile asks for the text above; without its line `PARAMETER temperature "
        "0` it writes another one each time.\n\nLM Studio: open the file under My Models, and "
        "set the context length to ");
    text_put_number(out, p->model->options.value[OPT_CONTEXT]);
    text_put(out, ".\n");
    put_recipe(out, &p->model->options);
}

void card_onnx_plan(write_plan *p) {
    text_buffer *out = &p->bytes;
    put_card(p);
    begin_block(out, "transformers.js, with this folder as `models/my-gpt` beside the page:", "js");
    text_put(out, "import { env, pipeline } from '@huggingface/transformers';\n"
                  "env.allowLocalModels = true;\n"
                  "env.allowRemoteModels = false;\n"
                  "env.localModelPath = 'models/';\n"
                  "const write = await pipeline('text-generation', 'my-gpt', { dtype: 'fp32' });\n"
                  "console.log(await write(");
    put_prompt(out, p);
    text_put(out, ", { max_new_tokens: ");
    put_tokens(out, p);
    text_put(out, ", do_sample: false }));\n```\n");
    begin_block(out, "onnxruntime, without a cache of keys and values:", "python");
    text_put(out, "import numpy, onnxruntime\n"
                  "model = onnxruntime.InferenceSession('onnx/model_plain.onnx')\n"
                  "print(model.run(None, {'input_ids': numpy.array([[0]], 'int64')})[0])\n```\n");
    put_recipe(out, &p->model->options);
}

void card_hf_plan(write_plan *p) {
    text_buffer *out = &p->bytes;
    put_card(p);
    begin_block(out, "transformers, in this folder:", "python");
    text_put(out, "from transformers import pipeline\n"
                  "write = pipeline('text-generation', model='.')\nprint(write(");
    put_prompt(out, p);
    text_put(out, ", max_new_tokens=");
    put_tokens(out, p);
    text_put(out, ", do_sample=False))\n```\n");
    put_recipe(out, &p->model->options);
}

/** The functions of c/api/gpt.h as the compiled module exports them. */

/** Statuses of gpt.h that the binding compares with. */
export const OK = 0;
export const FINISHED = 1;
export const E_CAPACITY = -14;

type Call = (...args: number[]) => number;
type Release = (pointer: number) => void;

/** The functions of c/api/gpt_past.h and gpt_trace.h; only the module for questions has them. */
export interface TraceExports {
  readonly gpt_snapshot_restore: Call;
  readonly gpt_trace_create: Call;
  readonly gpt_trace_free: Release;
  readonly gpt_trace_step: Call;
  readonly gpt_trace_get: Call;
  readonly gpt_trace_error: Call;
  readonly gpt_trace_runs: Call;
  readonly gpt_trace_find: Call;
  readonly gpt_trace_find_line: Call;
  readonly gpt_trace_score: Call;
  readonly gpt_trace_write: Call;
  readonly gpt_baselines_step: Call;
  readonly gpt_baseline: Call;
  readonly gpt_base_rate_step: Call;
}

/** The functions of c/api/gpt_formats.h; only the module for questions has them. */
export interface FormatExports {
  readonly gpt_export_open: Call;
  readonly gpt_export_free: Release;
  readonly gpt_export_set_field: Call;
  readonly gpt_export_feed: Call;
  readonly gpt_export_take: Call;
  readonly gpt_export_size: Call;
  readonly gpt_export_done: Call;
  readonly gpt_export_error_json: Call;
  readonly gpt_import_open: Call;
  readonly gpt_import_free: Release;
  readonly gpt_import_at: Call;
  readonly gpt_import_wants: Call;
  readonly gpt_import_feed: Call;
  readonly gpt_import_size: Call;
  readonly gpt_import_take: Call;
  readonly gpt_import_text: Call;
  readonly gpt_import_error_json: Call;
}

/** All exports of the module: its memory, the allocator and the functions of c/api/gpt.h. */
export interface Exports extends Partial<TraceExports>, Partial<FormatExports> {
  readonly memory: WebAssembly.Memory;
  readonly malloc: Call;
  readonly free: Release;
  readonly gpt_version: Call;
  readonly gpt_text_hash: Call;
  readonly gpt_config_create: Call;
  readonly gpt_config_free: Release;
  readonly gpt_config_set: Call;
  readonly gpt_config_set_text: Call;
  readonly gpt_config_left_out_json: Call;
  readonly gpt_config_get: Call;
  readonly gpt_config_check: Call;
  readonly gpt_config_error: Call;
  readonly gpt_options_json: Call;
  readonly gpt_config_set_memory_limit: Call;
  readonly gpt_config_set_bpe: Call;
  readonly gpt_config_import: Call;
  readonly gpt_load_open: Call;
  readonly gpt_load_feed: Call;
  readonly gpt_load_state: Call;
  readonly gpt_load_file: Call;
  readonly gpt_load_next: Call;
  readonly gpt_load_json: Call;
  readonly gpt_load_plan_json: Call;
  readonly gpt_load_begin: Call;
  readonly gpt_load_finish: Call;
  readonly gpt_load_free: Release;
  readonly gpt_save_open: Call;
  readonly gpt_save_bytes: Call;
  readonly gpt_save_read: Call;
  readonly gpt_save_free: Release;
  readonly gpt_losses: Call;
  readonly gpt_weights_hash: Call;
  readonly gpt_receipt_json: Call;
  readonly gpt_receipt_line: Call;
  readonly gpt_verify_open_all: Call;
  readonly gpt_verify_free: Release;
  readonly gpt_verify_step: Call;
  readonly gpt_verify_json: Call;
  readonly gpt_plan_json: Call;
  readonly gpt_config_fit: Call;
  readonly gpt_architecture_json: Call;
  readonly gpt_trainer_create: Call;
  readonly gpt_trainer_free: Release;
  readonly gpt_step: Call;
  readonly gpt_loss: Call;
  readonly gpt_validate: Call;
  readonly gpt_memorised: Call;
  readonly gpt_held_out_text: Call;
  readonly gpt_rewind: Call;
  readonly gpt_snapshot_bytes: Call;
  readonly gpt_snapshot_write: Call;
  readonly gpt_trainer_set: Call;
  readonly gpt_trainer_get: Call;
  readonly gpt_trainer_error: Call;
  readonly gpt_sample: Call;
  readonly gpt_sample_begin: Call;
  readonly gpt_sample_next: Call;
  readonly gpt_sample_ended: Call;
  readonly gpt_sample_text: Call;
  readonly gpt_sample_refills: Call;
  readonly gpt_trainer_sampler: Call;
  readonly gpt_sampler_create: Call;
  readonly gpt_sampler_free: Call;
  readonly gpt_sample_take: Call;
  readonly gpt_sample_uniform: Call;
  readonly gpt_sample_skip: Call;
  readonly gpt_sample_reread: Call;
  readonly gpt_sample_rows: Call;
  readonly gpt_sample_context: Call;
  readonly gpt_sample_bytes: Call;
  readonly gpt_sample_probabilities: Call;
  readonly gpt_learning_rate: Call;
  readonly gpt_gradient_norm: Call;
  readonly gpt_encode: Call;
  readonly gpt_token_bytes: Call;
  readonly gpt_probe: Call;
  readonly gpt_probe_tokens: Call;
  readonly gpt_probe_json: Call;
  readonly gpt_probe_data: Call;
  readonly gpt_probe_grad: Call;
  readonly gpt_probe_ids: Call;
  readonly gpt_parameters_json: Call;
  readonly gpt_parameter_data: Call;
  readonly gpt_parameter_grad: Call;
  readonly gpt_merges_json: Call;
  readonly gpt_thread_create: Call;
  readonly gpt_threads_count: Call;
  readonly gpt_threads_stop: () => void;
}

/** Requests for texts: defaults and checks. */
import { fitsSampling, SAMPLING_LIMITS } from '../base/sampling-limits.ts';
import type { SamplingName } from '../base/sampling-limits.ts';
import { failure } from './errors.ts';
import type { SampleRequest, WantedSample } from './trainer.ts';

export const DEFAULT_SAMPLE: SampleRequest = {
  prompt: '',
  temperature: 0.8,
  topK: 0,
  topP: 1,
  maxTokens: 200,
  seed: 1,
};

/** Completes a request; throws `range` or `argument` if a value is invalid. */
export function sampleRequest(wanted: WantedSample): SampleRequest {
  // Untyped callers may pass anything.
  if (typeof wanted !== 'object' || (wanted as unknown) === null) {
    throw failure('argument', 'a request for a text is an object, such as { prompt: "a" }');
  }
  const said = Object.entries(wanted as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  );
  const names = [...Object.keys(DEFAULT_SAMPLE), 'whole'];
  const [strange] = said.find(([name]) => !names.includes(name)) ?? [];
  if (strange !== undefined) {
    throw failure('argument', `a text has no ${strange}: ${names.join(', ')}`, [], strange);
  }
  const request: Record<string, unknown> = { ...DEFAULT_SAMPLE, ...Object.fromEntries(said) };
  if (typeof request['prompt'] !== 'string') {
    throw failure('argument', 'the prompt must be a text', [], 'prompt');
  }
  for (const name of Object.keys(SAMPLING_LIMITS) as SamplingName[]) {
    const value = request[name];
    if (typeof value === 'number' && fitsSampling(name, value)) continue;
    const { min, max, whole } = SAMPLING_LIMITS[name];
    const kind = whole ? 'a whole number' : 'a number';
    const limits = `${kind} from ${String(min)} to ${String(max)}`;
    const message = `${name} is ${String(value)}, but must be ${limits}`;
    throw failure('range', message, [Number(value), min, max], name);
  }
  return request as unknown as SampleRequest;
}

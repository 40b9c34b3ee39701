/** The recordings that component tests run on: every byte is what the engine gives now. */
import { afterAll, expect, it } from 'vitest';
import { EngineAnswers } from './recordings/engine-answers.ts';
import type { Question } from './recordings/question.ts';
import { readRecording, recordingNames, sampleInputs } from './recordings/recorder.ts';
import { fromBase64, pack, textOf, unpack } from './recordings/values.ts';

const inputs = sampleInputs();
const engine = new EngineAnswers(inputs);
afterAll(() => {
  engine.close();
});

/** Questions of one run stand together, its earlier steps first, so that the engine goes forward. */
function inOrder(questions: readonly Question[]): Question[] {
  const placeOf = ({ model, text, generation, call }: Question): string => {
    const { step = 0, changes = [], ...made } = generation?.[0]?.model ?? model ?? {};
    const at = String(Math.max(step, 0)).padStart(9, '0');
    const order = generation === undefined ? call : generation;
    return textOf([made, model === null ? text : '', changes, at, order]);
  };
  const placed = questions.map((question) => [placeOf(question), question] as const);
  return placed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, question]) => question);
}

it('has a recording to compare', () => {
  expect(recordingNames()).toContain('names');
});

it.each(recordingNames())('the engine answers as in the recording %s', async (name) => {
  const { inputs: added, answers } = readRecording(name);
  for (const [digest, base64] of Object.entries(added)) inputs.set(digest, fromBase64(base64));
  const recorded = new Map(answers.map(([question, answer]) => [JSON.stringify(question), answer]));
  const questions = answers.map(([question]) => unpack(question) as Question);
  for (const question of inOrder(questions)) {
    const key = textOf(question);
    const answer = pack(await engine.ask(question));
    expect({ question: key, answer }).toEqual({ question: key, answer: recorded.get(key) });
  }
});

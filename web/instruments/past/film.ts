/** The film of a run as a video file, in browsers that can record a canvas. */
import { failure } from '../../engine/errors.ts';
import type { Attention } from '../../engine/trainer.ts';
import { placeWithin } from '../../data/attention-data.ts';
import type { HeadPlace } from '../../data/attention-data.ts';
import { returnsNoise } from '../../kit/canvas-noise.ts';
import { el } from '../../kit/dom.ts';
import { drawFrame, FILM_SIZE } from '../../kit/pictures/film-picture.ts';
import type { FilmFrame, FilmScene } from '../../kit/pictures/film-picture.ts';
import { withUnreadableSigns } from '../../kit/unreadable.ts';
import { PROBE_TOKENS } from '../../store/training/probe-choice.ts';
import type { Session } from '../../store/training/session.ts';
import { wholeSample } from '../../store/training/whole-sample.ts';
import type { LaterContext } from '../panel.ts';

/** Milliseconds per picture of the video, and additional repetitions of the last picture. */
const SHOWN = 125;
const LAST = 12;
/** Number of texts in a picture, and maximum tokens of each. */
const TEXTS = { count: 4, tokens: 40 };
const CURVE_POINTS = 400;
/** Formats to record, in order of preference: phones send on and play H.264 in MP4. */
const TYPES = ['video/mp4;codecs=avc1.42E01F', 'video/webm;codecs=vp9', 'video/webm'];
/** The Duration of a WebM file as Firefox writes it: id, 8 bytes, the 64-bit float 0. */
const NO_DURATION = [0x44, 0x89, 0x88, 0, 0, 0, 0, 0, 0, 0, 0];
/** Bytes at the beginning of a WebM file that contain its Duration. */
const HEAD = 1024;

export interface FilmOptions {
  readonly context: LaterContext;
  readonly session: Session;
  readonly head: HeadPlace;
  readonly steps: readonly number[];
  readonly signal: AbortSignal;
  /** Called with the number of finished pictures. */
  readonly onPicture: (count: number) => void;
}

/** Options of a film, with the page's settings at its start. */
interface Making extends FilmOptions {
  readonly probe: string;
  readonly smoothing: number;
}

/**
 * Returns the film as an MP4 or WebM file, by its type. Throws the signal's reason, `canvas-noise`,
 * or `no-film` if the browser cannot record.
 */
export async function makeFilm(given: FilmOptions): Promise<Blob> {
  if (returnsNoise()) throw failure('canvas-noise', 'the browser returns noise for pictures');
  const type = recordedAs();
  if (type === null) throw failure('no-film', 'the browser cannot record a canvas');
  const { probe, lossChoice } = given.context.state;
  const options: Making = { ...given, probe, smoothing: lossChoice.smoothing };
  const frames: FilmFrame[] = [];
  for (const step of options.steps) {
    frames.push(await frameAt(step, options));
    options.signal.throwIfAborted();
    options.onPicture(frames.length);
  }
  const [first] = frames;
  if (first === undefined) throw new Error('there is nothing to film');
  const scene = sceneOf({ ...options, head: placeWithin(options.head, first.attention) });
  return record(frames, scene, type, options.signal);
}

/** The media type to record; null if the browser cannot record a canvas. */
function recordedAs(): string | null {
  const { MediaRecorder: Recorder, HTMLCanvasElement: Canvas } = globalThis as {
    readonly MediaRecorder?: typeof MediaRecorder;
    readonly HTMLCanvasElement?: typeof HTMLCanvasElement;
  };
  if (Recorder === undefined || Canvas?.prototype.captureStream === undefined) return null;
  return TYPES.find((type) => Recorder.isTypeSupported(type)) ?? null;
}

async function frameAt(step: number, options: Making): Promise<FilmFrame> {
  const { session, context, probe, smoothing } = options;
  const { words } = context;
  const model = await session.lookedAt.modelAt(step, { signal: options.signal });
  const attention: Attention = await model.probe(probe, PROBE_TOKENS);
  const isLines = session.current?.info.documents === true;
  const texts: string[] = [];
  for (let seed = 1; seed <= (isLines ? TEXTS.count : 1); seed++) {
    const maxTokens = isLines ? TEXTS.tokens : TEXTS.count * TEXTS.tokens;
    const text = await wholeSample(model, { seed, temperature: 0.8, maxTokens });
    const shown = withUnreadableSigns(text);
    texts.push(...(isLines ? [shown] : piecesOf(shown)));
  }
  const loss = session.run?.history.at(step, smoothing)?.smoothed ?? NaN;
  return {
    step,
    texts,
    attention,
    title: words.t('past.film.step', { step: words.number(step) }),
    loss: Number.isFinite(loss) ? words.t('past.film.loss', { loss: words.number(loss, 2) }) : '',
  };
}

/** Splits a text into `TEXTS.count` rows of `TEXTS.tokens` characters. */
function piecesOf(text: string): string[] {
  const letters = Array.from(text.replaceAll(/\s+/gu, ' '));
  return Array.from({ length: TEXTS.count }, (_, row) =>
    letters.slice(row * TEXTS.tokens, (row + 1) * TEXTS.tokens).join(''),
  );
}

function sceneOf({ session, head, steps, context, smoothing }: Making): FilmScene {
  const { words } = context;
  const columns = session.run?.history.columns(CURVE_POINTS, {
    smoothing,
  });
  const curve = (columns?.steps ?? []).flatMap((step, index) => {
    const loss = columns?.smoothed[index] ?? null;
    return loss === null ? [] : [{ step, loss }];
  });
  const place = { layer: head.layer + 1, head: head.head + 1 };
  return { head, curve, steps: steps.at(-1) ?? 1, caption: words.t('attention.head', place) };
}

async function record(
  frames: readonly FilmFrame[],
  scene: FilmScene,
  mimeType: string,
  signal: AbortSignal,
): Promise<Blob> {
  const canvas = el('canvas', FILM_SIZE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser draws on no canvas');
  const stream = canvas.captureStream();
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 4e6 });
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  const ended = new Promise<void>((resolve, reject) => {
    recorder.addEventListener('stop', () => {
      resolve();
    });
    recorder.addEventListener('error', () => {
      reject(new Error('the browser could not record'));
    });
  });
  recorder.start();
  let milliseconds = 0;
  try {
    const last = frames.slice(-1);
    // Pauses while the tab is hidden, because a hidden tab draws nothing to record.
    for (const frame of [...frames, ...Array.from({ length: LAST }, () => last).flat()]) {
      if (document.hidden) {
        recorder.pause();
        await untilSeen(signal);
        recorder.resume();
      }
      const from = performance.now();
      drawFrame(context, frame, scene);
      await rest(SHOWN);
      milliseconds += performance.now() - from;
      signal.throwIfAborted();
    }
  } finally {
    recorder.stop();
    await ended;
    for (const track of stream.getTracks()) track.stop();
  }
  const [type = ''] = mimeType.split(';');
  return type === 'video/webm' ? withDuration(pieces, milliseconds) : new Blob(pieces, { type });
}

/** Replaces the Duration 0, with which players show no length and cannot seek. */
async function withDuration(pieces: readonly Blob[], milliseconds: number): Promise<Blob> {
  const film = new Blob([...pieces]);
  const head = await film.slice(0, HEAD).arrayBuffer();
  const bytes = new Uint8Array(head);
  const at = bytes.findIndex((_, start) =>
    NO_DURATION.every((byte, i) => bytes[start + i] === byte),
  );
  if (at >= 0) new DataView(head).setFloat64(at + 3, milliseconds);
  return new Blob([head, film.slice(HEAD)], { type: 'video/webm' });
}

/**
 * Waits until the tab is visible. In a hidden tab, each timer takes a second or more, so each
 * picture would too.
 */
function untilSeen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const watched = new AbortController();
    const end = (then: () => void) => () => {
      watched.abort();
      then();
    };
    const seen = end(resolve);
    const stopped = end(() => {
      reject(signal.reason as Error);
    });
    document.addEventListener('visibilitychange', seen, { signal: watched.signal });
    signal.addEventListener('abort', stopped, { signal: watched.signal });
  });
}

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

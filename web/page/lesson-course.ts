/**
 * What a lesson does with the run: begins it, ends it at the step `stop`, and shows its task once
 * the run is there.
 */
import type { Lesson } from '../store/address/lesson.ts';
import type { Status } from '../store/remote.ts';
import type { Session } from '../store/training/session.ts';

export interface LessonCourseOptions {
  readonly lesson: () => Lesson;
  readonly session: () => Session | null;
  readonly status: () => Status;
  readonly isInSight: () => boolean;
  readonly start: () => void;
  readonly lookAt: (step: number) => void;
  /** Shows the lesson with its task. */
  readonly show: (lesson: Lesson) => void;
}

export class LessonCourse {
  readonly #options: LessonCourseOptions;
  /** Whether a run is to start as soon as that is possible, in sight. */
  waits: boolean;
  /** Whether the run has reached the step `stop`. */
  #hasArrived = false;

  constructor(options: LessonCourseOptions) {
    this.#options = options;
    const { autostart, stop } = options.lesson();
    this.waits = autostart || stop !== null;
  }

  /** The lesson, without its task until the run has reached the step `stop`. */
  get lesson(): Lesson {
    const lesson = this.#options.lesson();
    return lesson.stop !== null && !this.#hasArrived ? { ...lesson, task: '' } : lesson;
  }

  /** Accepts another step `stop`, which starts a run; null for none. */
  seek(stop: number | null): void {
    this.#hasArrived = false;
    this.waits ||= stop !== null;
  }

  /** Tells the session the step `stop`. */
  obey(): void {
    const now = this.#options.session();
    if (now !== null && !this.#hasArrived) {
      now.stop = now.stopAgain = this.#options.lesson().stop;
      // `start` passes the new limit to a run that trains.
      if (now.stop !== null && now.run?.state === 'running') now.start();
    }
    this.arrive();
  }

  /** Shows the step `stop` and the task once the run has reached that step. */
  arrive(): void {
    const { lesson, session, lookAt, show } = this.#options;
    const { stop } = lesson();
    const now = session();
    const { step = 0, state } = now?.run ?? {};
    // A run with fewer steps, or a diverged one, ends before.
    const isOver = step >= (stop ?? 0) || state === 'finished' || state === 'diverged';
    if (stop === null || this.#hasArrived || !isOver) return;
    this.#hasArrived = true;
    // The next start trains beyond the step.
    if (now !== null) now.stop = null;
    // A restored run may already be beyond the step.
    if (step > stop) lookAt(stop);
    show(this.lesson);
  }

  /** Starts a run once, if the lesson asks for it, as soon as it is possible and in sight. */
  start(): void {
    const { isInSight, lesson, start, status } = this.#options;
    if (!this.waits || !isInSight()) return;
    const { state, step } = status();
    const isShort = state === 'paused' && step < (lesson().stop ?? 0);
    if (state === 'running') this.waits = false;
    if (state !== 'ready' && !isShort) return;
    this.waits = false;
    start();
  }
}

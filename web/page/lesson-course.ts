/**
 * Applies a lesson to the run: starts training, ends it at the step `stop`, and shows the task once
 * the run has reached that step.
 */
import type { Lesson } from '../store/address/lesson.ts';
import type { Status } from '../store/host/host.ts';
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
  /** Whether training is still to be started, once a run can train and the page is in sight. */
  waits: boolean;
  /** Whether the run has reached the step `stop`, or has ended before. */
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

  /** Called when the lesson has another `stop`. A step starts training; null means no stop. */
  seek(stop: number | null): void {
    this.#hasArrived = false;
    this.waits ||= stop !== null;
  }

  /** Passes the step `stop` of the lesson to the session. */
  obey(): void {
    const now = this.#options.session();
    if (now !== null && !this.#hasArrived) {
      now.stop = now.stopAgain = this.#options.lesson().stop;
      // `start` passes the new limit to a run that trains.
      if (now.stop !== null && now.run?.state === 'running') now.start();
    }
    this.arrive();
  }

  /**
   * Shows the task once the run has reached the step `stop` or has ended; shows that step if the
   * run is already beyond it.
   */
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

  /**
   * Starts training once if the lesson asks for it, when a run can train and the page is in sight.
   */
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

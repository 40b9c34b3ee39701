/**
 * Stands for `app/runs/run-saver.ts` and `app/runs/leaving-saves.ts` in a form that keeps no runs: there is
 * nothing to save when it is left.
 */
export class RunSaver {
  take(): void {
    return undefined;
  }
}

export class LeavingSaves {
  run(): void {
    return undefined;
  }

  ask(): boolean {
    return false;
  }

  wait(): void {
    return undefined;
  }
}

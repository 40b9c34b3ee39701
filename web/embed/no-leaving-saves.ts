/** Stands for `app/runs/leaving-saves.ts` in a form that keeps no runs: there is nobody to ask for a save. */
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

/** Runs steps for `seconds`; returns steps per second and the last loss. */
export async function timeSteps(step, seconds) {
  const start = performance.now();
  let steps = 0;
  let time;
  let loss;
  do {
    loss = await step();
    steps++;
    time = (performance.now() - start) / 1000;
  } while (time < seconds);
  return { steps_per_s: steps / time, loss };
}

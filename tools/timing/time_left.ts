/**
 * How long something will still take, from how long it took so far.
 *
 * @module
 */

/** Less done than this says nothing of the rest. */
const ENOUGH = 0.03;

/** Starts counting. The function gives whole seconds that are left, or `undefined`. */
export function timeLeft(): (done: number) => number | undefined {
  const begun = performance.now();
  return (done) => {
    if (done < ENOUGH) return undefined;
    return Math.ceil((performance.now() - begun) * (1 / done - 1) / 1000);
  };
}

/** Starts counting. The function gives the seconds that went by. */
export function stopwatch(): () => number {
  const begun = performance.now();
  return () => (performance.now() - begun) / 1000;
}

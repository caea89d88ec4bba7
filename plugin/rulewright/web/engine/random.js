// Random numbers for dice: a seeded generator, and the browser's own source.

/** The seeded generator that every language of the project implements alike (mulberry32). @param {number} seed @returns {() => number} */
export function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
/** Numbers that nobody can foresee. @returns {() => number} */
export function chance() {
  const numbers = new Uint32Array(256);
  let at = numbers.length;
  return () => {
    if (at === numbers.length) at = crypto.getRandomValues(numbers).length - 256;
    return numbers[at++];
  };
}
/** From 0 to sides - 1, each as likely as any other: numbers of the last, incomplete run are thrown away. @param {() => number} next @param {number} sides */
export function below(next, sides) {
  const limit = 2 ** 32 - (2 ** 32 % sides);
  for (;;) {
    const found = next();
    if (found < limit) return found % sides;
  }
}

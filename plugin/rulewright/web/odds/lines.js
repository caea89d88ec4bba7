// Linear equations.
/** Solves linear equations in place: each line has its factors, then its right side. @param {number[][]} lines */
export function eliminateLines(lines) {
  lines.forEach((_, at) => {
    const best = lines.reduce((so, line, place) => (place >= at && Math.abs(line[at]) > Math.abs(lines[so][at]) ? place : so), at);
    [lines[at], lines[best]] = [lines[best], lines[at]];
    for (const line of lines) {
      const times = line === lines[at] ? 0 : line[at] / lines[at][at];
      if (times) lines[at].forEach((value, place) => (line[place] -= times * value));
    }
  });
}

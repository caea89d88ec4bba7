// Groups of states. As odds/components.py.
/** Groups of states that lead to one another; a group comes before those that it leads to (Tarjan). @param {Map<string, {moves: Map<string, any> | Set<string>}>} rows */
export function stateGroups(rows) {
  const numbers = new Map(), lowest = new Map(), /** @type {string[]} */ stack = [], /** @type {string[][]} */ groups = [], open = new Set();
  for (const root of rows.keys()) {
    if (numbers.has(root)) continue;
    /** @type {[string, Iterator<string>][]} */
    const work = [];
    const enter = (/** @type {string} */ state) => {
      numbers.set(state, numbers.size);
      lowest.set(state, numbers.get(state));
      stack.push(state);
      open.add(state);
      work.push([state, /** @type {{moves: Map<string, any> | Set<string>}} */ (rows.get(state)).moves.keys()]);
    };
    enter(root);
    while (work.length) {
      const [state, others] = work[work.length - 1], { value: other, done } = others.next();
      if (!done && !numbers.has(other)) enter(other);
      else if (!done && open.has(other)) lowest.set(state, Math.min(lowest.get(state), numbers.get(other)));
      else if (done) {
        work.pop();
        const above = work.at(-1)?.[0];
        if (above !== undefined) lowest.set(above, Math.min(lowest.get(above), lowest.get(state)));
        if (lowest.get(state) !== numbers.get(state)) continue;
        const group = stack.splice(stack.indexOf(state));
        for (const one of group) open.delete(one);
        groups.push(group);
      }
    }
  }
  return groups.reverse();
}

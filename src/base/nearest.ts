/** Edits (a swap of neighbours is one) that turn `a` into `b`. */
export function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, at(i - 2, j - 2) + 1);
      }
      row.push(edits);
    }
  }
  return at(a.length, b.length);
}

const isBegun = (name: string, lower: string): boolean =>
  lower !== '' && name.toLowerCase().startsWith(lower);

/** The names that were probably meant, nearest first: spelt alike, or with letters that were left out; empty when nothing is near. */
export function nearest(word: string, names: readonly string[]): string[] {
  const alike = speltAlike(word, names);
  return alike.length > 0 ? alike : names.filter((name) => isShort(word.toLowerCase(), name.toLowerCase()));
}

/** The names that are spelt alike or begin so, nearest first. `bin/obk.js` guesses commands in the same way. */
export function speltAlike(word: string, names: readonly string[]): string[] {
  const lower = word.toLowerCase();
  const isNear = (name: string, far: number) => far <= Math.max(word.length, name.length) * 0.4;
  const near = names
    // It takes as many edits as one is longer: a very long word is not compared letter by letter.
    .filter((name) => isNear(name, Math.abs(word.length - name.length)) || isBegun(name, lower))
    .map((name) => ({
      name,
      far: isBegun(name, lower) ? 1 : distance(lower, name.toLowerCase()),
    }))
    .filter(({ name, far }) => isNear(name, far))
    .sort((a, b) => a.far - b.far);
  return near.filter(({ far }) => far === near[0]?.far).map(({ name }) => name);
}

/** Whether a word leaves out letters of a name, such as vars for variables. */
function isShort(word: string, name: string): boolean {
  if (word.length < 3 || word.charAt(0) !== name.charAt(0)) return false;
  let at = 0;
  for (const letter of name) if (letter === word.charAt(at)) at += 1;
  return at === word.length;
}

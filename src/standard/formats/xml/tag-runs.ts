/** Tags with no text between them. The entries of a statement are written alike, so most of their runs were there before. */

/** A tag of a run. */
export interface TagStep<Tag> {
  readonly tag: Tag;
  /** Whether it ends the element of `tag`. */
  readonly ends: boolean;
  /** Where it begins in the run. */
  readonly at: number;
}

/** Tags from behind one text to before the next, with the blanks that lay them out. */
export interface TagRun<Tag> {
  readonly written: string;
  readonly steps: readonly TagStep<Tag>[];
  /** The runs that came after this one. */
  readonly next: TagRun<Tag>[];
}

// A message has few different runs; one with values of its own in each would fill the memory.
const maxRun = 2048;
const maxRuns = 1000;
const maxNext = 8;
const tagEnd = 0x3e;

/** Knows the runs that a message had, so that one that comes again is known by a single comparison. */
export class TagRuns<Tag> {
  readonly #first: TagRun<Tag> = { written: '', steps: [], next: [] };
  readonly #known = new Map<string, TagRun<Tag>>();
  #last = this.#first;
  /** Where the run that is being read begins, -1 between two runs; and what was read of it. */
  #from = -1;
  #steps: TagStep<Tag>[] = [];
  /** Whether a part of the present run is in another piece of the text. */
  #isCut = false;

  /** Returns the run at a place if it is one of those that came after the one before, which it is for the next then. */
  at(text: string, start: number): TagRun<Tag> | undefined {
    if (this.#from >= 0 || this.#isCut) return undefined;
    const { next } = this.#last;
    for (let each = 0; each < next.length; each += 1) {
      const run = next[each];
      if (run === undefined) break;
      const end = start + run.written.length;
      // Two of the same length are compared the faster; `startsWith` goes by characters.
      if (text.charCodeAt(end - 1) === tagEnd && text.slice(start, end) === run.written) {
        this.#last = run;
        return run;
      }
    }
    return undefined;
  }

  /** A tag was read that begins at `at`. */
  add(tag: Tag, ends: boolean, at: number): void {
    if (this.#isCut) return;
    if (this.#from < 0) this.#from = at;
    this.#steps.push({ tag, ends, at: at - this.#from });
  }

  /** The run that was read, if one was, ends at `end`. */
  end(text: string, end: number): void {
    if (this.#from < 0 && !this.#isCut) return;
    this.#last =
      this.#isCut || end - this.#from > maxRun ? this.#first : this.#learnt(text.slice(this.#from, end));
    this.#leave(false);
  }

  /** What follows stands in another text. */
  cut(): void {
    if (this.#from >= 0) this.#leave(true);
  }

  #leave(isCut: boolean): void {
    this.#isCut = isCut;
    this.#from = -1;
    this.#steps = [];
  }

  #learnt(found: string): TagRun<Tag> {
    let run = this.#known.get(found);
    if (run === undefined) {
      if (this.#known.size === maxRuns) return this.#first;
      // A slice would keep the whole text that it is one of.
      const written = Buffer.from(found).toString();
      run = { written, steps: this.#steps, next: [] };
      this.#known.set(written, run);
    }
    const { next } = this.#last;
    if (next.length < maxNext && !next.includes(run)) next.push(run);
    return run;
  }
}

const shown = '[secret]';
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * A value that prints as `[secret]` everywhere. The files that may reveal it stand in test/helpers/architecture/reveals.ts,
 * each with its reason; a test counts the calls.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    known.add(value);
    past.delete(value);
    living.set(value, (living.get(value) ?? 0) + 1);
    ends.register(this, value);
  }

  /** Returns the value itself. */
  reveal(): string {
    return this.#value;
  }

  /** Whether it is the empty text. */
  get isEmpty(): boolean {
    return this.#value === '';
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspectSymbol](): string {
    return shown;
  }
}

/** How many values are remembered of secrets that are no more: thousands of journeys make theirs one after the other. */
const mostPast = 2_000;

/** The values that are looked for: the living ones, and the youngest past ones. */
const known = new Set<string>();

/** How many secrets of a value there are, since a value that is still in use is looked for however old it is. */
const living = new Map<string, number>();

/** The values whose last secret has been collected; a text may still carry one. */
const past = new Set<string>();

const ends = new FinalizationRegistry<string>((value) => {
  const left = (living.get(value) ?? 1) - 1;
  if (left > 0) {
    living.set(value, left);
    return;
  }
  living.delete(value);
  past.add(value);
  if (past.size <= mostPast) return;
  const oldest = past.values().next().value as string;
  past.delete(oldest);
  known.delete(oldest);
});

/** The values of the secrets of this process, for redaction by value: each that is in use, and the youngest of the others. */
export function knownSecretValues(): ReadonlySet<string> {
  return known;
}

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
    // One that is made again is as young as a new one.
    registered.delete(value);
    registered.add(value);
    if (registered.size > mostRegistered) registered.delete(registered.values().next().value as string);
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

/** What thousands of journeys under load have made one after the other is not looked for in every text until their end. */
const mostRegistered = 2_000;

const registered = new Set<string>();

/** The values of the secrets made in this process (the youngest of very many), for redaction by value. */
export function knownSecretValues(): ReadonlySet<string> {
  return registered;
}

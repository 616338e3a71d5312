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
    registered.add(value);
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

const registered = new Set<string>();

/** The values of all secrets made in this process, for redaction by value. */
export function knownSecretValues(): ReadonlySet<string> {
  return registered;
}

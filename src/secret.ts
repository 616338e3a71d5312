const shown = '[secret]';
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/** A value that prints as `[secret]` everywhere; only the HTTP writer, the signer and the store may reveal it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    registered.add(value);
  }

  /** Gives the value itself; every call site is counted by the architecture test. */
  reveal(): string {
    return this.#value;
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

import type { Framework } from '../standard/xs2a/variants.ts';

/** A finding as far as it has a place in its message. */
interface Placed {
  readonly rule: string;
  readonly place: string;
  readonly pointer: string;
}

/** Collects the findings about one message; `Otherwise` is what a finding may have that its rule does not. */
export abstract class MessageFindings<Finding extends Placed, Otherwise> {
  readonly list: Finding[] = [];
  readonly framework: Framework;

  constructor(framework: Framework) {
    this.framework = framework;
  }

  /** A part of the message, or what its pointer names there. */
  at(part: Finding['place'], pointer = ''): FindingPlace<Finding, Otherwise> {
    return new FindingPlace(this, part, pointer);
  }

  abstract put(
    at: FindingPlace<Finding, Otherwise>,
    rule: Finding['rule'],
    what: string,
    otherwise?: Otherwise,
  ): void;
}

/** A place in a message that is judged: findings about it are added here. */
export class FindingPlace<Finding extends Placed, Otherwise> {
  readonly part: Finding['place'];
  /** The name of a header or of a query parameter, the segment of a path, or a JSON pointer (RFC 6901) into the body. */
  readonly pointer: string;
  readonly #found: MessageFindings<Finding, Otherwise>;

  constructor(found: MessageFindings<Finding, Otherwise>, part: Finding['place'], pointer: string) {
    this.#found = found;
    this.part = part;
    this.pointer = pointer;
  }

  get framework(): Framework {
    return this.#found.framework;
  }

  /** Whether there is a finding about exactly this place. */
  get isFaulty(): boolean {
    return this.#found.list.some(({ pointer }) => pointer === this.pointer);
  }

  /** A member of the object, or an item of the list, at this place of a body. */
  in(name: string | number): FindingPlace<Finding, Otherwise> {
    const escaped = String(name).replaceAll('~', '~0').replaceAll('/', '~1');
    return new FindingPlace(this.#found, this.part, `${this.pointer}/${escaped}`);
  }

  add(rule: Finding['rule'], what: string, otherwise?: Otherwise): void {
    this.#found.put(this, rule, what, otherwise);
  }
}

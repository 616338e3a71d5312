import { defined } from '../../base/defined.ts';

/** What the readers of an answer took although the contract has it otherwise. */

/** Something beside the contract that was read because its meaning is certain; texts are as they came, not cleaned. */
export interface Tolerated {
  /** A JSON pointer (RFC 6901) into the body, the name of a header, or the path of a request. */
  readonly at: string;
  readonly what: string;
  /** The setting of a profile that describes it, where there is one: key and value. */
  readonly setting?: readonly [key: string, value: string];
}

/** Takes note of something that a reader has tolerated: the same words count once in an answer, at their first place. */
export type Tolerate = (at: string, what: string, setting?: Tolerated['setting']) => void;

/** More of one answer says nothing new. */
const most = 20;

/** Returns an empty list of what is tolerated in an answer, with the function by which its readers add to it. */
export function toleranceList(): { readonly list: readonly Tolerated[]; readonly tolerate: Tolerate } {
  const list: Tolerated[] = [];
  return {
    list,
    tolerate: (at, what, setting) => {
      if (list.length >= most || list.some((one) => one.what === what)) return;
      list.push({ at, what, ...defined({ setting }) });
    },
  };
}

import type { Flat } from '../../base/schema.ts';
import { defined } from '../../base/defined.ts';
import type { HeaderName } from '../../standard/xs2a/header-rows.ts';
import type { SettingFinding } from './finding.ts';

/** Returns why a text is not valid, as a sentence; undefined if it is. */
export type Wrong = (text: string) => string | undefined;

/** A flag of `profile create` and `profile edit`. */
export interface Flag {
  readonly flag: string;
  /** Its argument as help shows it, such as <URL>. */
  readonly takes: string;
  readonly help: string;
}

interface Told extends Partial<Flag> {
  // Without a flag, a setting is set by `config set` and `--set`.
  /** The header that it fills. */
  readonly header?: HeaderName;
  /** The variable that says it for one run. */
  readonly variable?: string;
  /**
   * Who alone acts on it, where not both sides do: `tpp` where the bank inside does nothing for it, `bank` where obk as a TPP
   * does nothing for it, `people` where obk
   * shows it and does nothing otherwise; `own` where it is for a profile of the operator, and no file of a bank may hold it.
   */
  readonly side?: 'tpp' | 'bank' | 'people' | 'own';
  /** The meaning of the setting in one sentence. */
  readonly means?: string;
}

export interface TextRow extends Told {
  readonly kind: 'text' | 'url' | 'path' | 'reference';
  readonly wrong?: Wrong;
}
export interface ChoiceRow extends Told {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** The value in force where none is set. */
  readonly otherwise?: string;
}
export interface YesNoRow extends Told {
  readonly kind: 'yes-no';
}
export interface NumberRow extends Told {
  readonly kind: 'number' | 'duration';
  readonly isRight: (value: number) => boolean;
  /** The message for a wrong number. */
  readonly must: string;
  /** The ends of its range, where it has one. */
  readonly least?: number;
  readonly most?: number;
  /** The value in force where none is set. */
  readonly otherwise?: number;
}
export interface ListRow extends Told {
  readonly kind: 'list';
  readonly of: SettingRow;
}
/** An object with free names, which `name` checks. */
export interface MapRow extends Told {
  readonly kind: 'map';
  readonly name: Wrong;
  /** The names that there are, where they are few and known. */
  readonly names?: readonly string[];
  readonly of: SettingRow;
}
/** An object with these members and no other. */
export interface GroupRow extends Told {
  readonly kind: 'group';
  readonly members: Readonly<Record<string, SettingRow>>;
  readonly needs: readonly string[];
  /** Says of a name that is no member what else it is. */
  readonly other?: (name: string) => string | undefined;
  /** Checks the members together, once each is valid alone. */
  readonly together?: (value: Readonly<Record<string, unknown>>, at: string) => readonly SettingFinding[];
  /** As `together`, of the group without its notes; its keys are set one by one by a flag of their own (`signing`). */
  readonly whole?: (value: unknown, at: string) => readonly SettingFinding[];
}

/** The definition of one setting: its kind, the flag that sets it, and the check of a value. */
export type SettingRow = TextRow | ChoiceRow | YesNoRow | NumberRow | ListRow | MapRow | GroupRow;

/** The row of a member of a group or a map, or of the entries of a list; undefined where the table has none. */
export function innerRow(row: SettingRow | undefined, name: string): SettingRow | undefined {
  if (row?.kind === 'map' || row?.kind === 'list') return row.of;
  return row?.kind === 'group' && Object.hasOwn(row.members, name) ? row.members[name] : undefined;
}

/** The row of a setting whose values are of type T; `holds` exists in types only. */
export type RowOf<T> = SettingRow & { readonly holds?: (value: T) => T };

/** The type of the values that a row accepts. */
export type ValueOf<R> = R extends { readonly holds?: (value: infer T) => unknown } ? T : never;

type Rows = Readonly<Record<string, SettingRow>>;

/** The object that rows describe; only what is needed is always there. */
export type GroupOf<M extends Rows, Needed extends keyof M = never> = Flat<
  { [Key in Needed]: ValueOf<M[Key]> } & { [Key in Exclude<keyof M, Needed>]?: ValueOf<M[Key]> }
>;

/** A text that `wrong` accepts; T where it accepts certain names only. */
export const text = <T extends string = string>(told: Told & { wrong?: Wrong } = {}): RowOf<T> => ({
  kind: 'text',
  ...told,
});

/** An address that `wrong` accepts. */
export const url = (wrong: Wrong, told: Told = {}): RowOf<string> => ({ kind: 'url', wrong, ...told });

/** The path of a file. */
export const path: RowOf<string> = {
  kind: 'path',
  wrong: (given) => (given === '' ? 'It must be the path of a file.' : undefined),
};

/** True for the form of a reference to a secret; another text in its place may be the secret itself. */
export const isReference = (given: string): boolean =>
  /^(prompt|stdin|(env|file|cmd|keyring):.+)$/s.test(given);

/** A reference to a secret. A wrong value may be the secret itself, so no message repeats it. */
export const reference = (told: Told & { wrong?: Wrong } = {}): RowOf<string> => ({
  kind: 'reference',
  wrong: (given) =>
    isReference(given) ? undefined : 'It must be a reference, never the secret itself (obk help references).',
  ...told,
});

/** A reference that is read at the time of sending, when there is nobody to ask: no prompt and no stdin. */
export const unaskedReference = reference({
  wrong: (given) =>
    /^(env|file|cmd|keyring):.+$/s.test(given) ? undefined : 'It must be a reference (obk help references).',
});

/** One of these words. */
export const choice = <const V extends readonly string[]>(
  values: V,
  told: Told & { otherwise?: V[number] } = {},
): RowOf<V[number]> => ({
  kind: 'choice',
  values,
  ...told,
});

export const yesNo = (told: Told = {}): RowOf<boolean> => ({ kind: 'yes-no', ...told });

/** A whole number in a range, the ends included; `of` names what is counted. */
export const count = (least: number, most: number, of?: string): RowOf<number> => ({
  kind: 'number',
  isRight: (value) => Number.isInteger(value) && value >= least && value <= most,
  must: `It must be a ${of === undefined ? 'whole number' : `number of ${of}`}, ${String(least)} to ${String(most)}.`,
  least,
  most,
});

/** The row with the meaning of its setting. */
export const said = <R extends SettingRow>(means: string, row: R): R => ({ ...row, means });

/** The row with the flag that sets it (`--base-url <URL>`), and what help says of that. */
export function by<R extends SettingRow>(usage: string, help: string, row: R): R {
  const [flag = '', takes = ''] = usage.split(' ');
  return { ...row, flag, takes, help };
}

/** The row of what people alone read. */
export const forPeople = <R extends SettingRow>(row: R): R => ({ ...row, side: 'people' });

/** The row of what a profile may hold and the file of a bank may not. */
export const ownRule = <R extends SettingRow>(row: R): R => ({ ...row, side: 'own' });

/** The row of what the bank inside alone acts on: a TPP does not believe it of a file. */
export const forBank = <R extends SettingRow>(row: R): R => ({ ...row, side: 'bank' });

/** The row of what a TPP alone acts on, and the bank inside does not. */
export const forTpp = <R extends SettingRow>(row: R): R => ({ ...row, side: 'tpp' });

/** A time in milliseconds. */
export const duration = (told: Told & { otherwise?: number }): RowOf<number> => ({
  kind: 'duration',
  // A timer of Node takes no longer time.
  isRight: (value) => value > 0 && value < 2 ** 31,
  must: 'It must be a number of milliseconds above 0 and below 2147483648.',
  ...told,
});

export const list = <T>(of: RowOf<T>, told: Told = {}): RowOf<readonly T[]> => ({
  kind: 'list',
  of,
  ...told,
});

/** An object with a name of the person's own for each value. */
export const map = <T>(
  name: Wrong,
  of: RowOf<T>,
  names?: readonly string[],
): RowOf<Readonly<Record<string, T>>> => ({
  kind: 'map',
  name,
  of,
  ...defined({ names }),
});

/** An object; `needs` are its required members. */
export const group = <M extends Rows, Needed extends keyof M & string = never>(
  members: M,
  needs: readonly Needed[] = [],
  judge: Pick<GroupRow, 'other' | 'together' | 'whole'> = {},
): RowOf<GroupOf<M, Needed>> => ({
  kind: 'group',
  members,
  needs,
  ...judge,
});

import { expect, it } from 'vitest';
import type { Profile } from '../../../../src/settings/records/profile.ts';
import { bankRows } from '../../../../src/settings/profile/bank.ts';
import { choice, group, text, yesNo } from '../../../../src/settings/profile/row.ts';
import type { RowsOf } from '../../../../src/settings/profile/row.ts';
import { tppRows } from '../../../../src/settings/profile/tpp.ts';

type Rows = Partial<RowsOf<Profile>>;
type Lint = NonNullable<Profile['lint']>;

/** Each of these is an error of the compiler; the types check of the project fails on one that is none. */
it('a row and a member of a profile without each other do not compile', () => {
  const { currency, ...others } = tppRows;
  // @ts-expect-error -- currency has no row
  const without: RowsOf<Profile> = { ...others, ...bankRows };
  // @ts-expect-error -- a profile has no colour
  const unknown = { colour: text() } satisfies Rows;
  // @ts-expect-error -- error is one of its words too
  const few = { lint: group<Lint>({ charset: choice(['warn']) }) } satisfies Rows;
  // @ts-expect-error -- cloud is none of its words
  const many = { tokenStore: choice(['file', 'keyring', 'cloud']) } satisfies Rows;
  // @ts-expect-error -- the words are not any text
  const any = { lint: group<Lint>({ charset: text() }) } satisfies Rows;
  // @ts-expect-error -- it is true or false
  const kind = { allowHttp: text() } satisfies Rows;
  // @ts-expect-error -- charset has no row
  const inner = { lint: group<Lint>({}) } satisfies Rows;
  const levels = choice(['warn', 'error']);
  // @ts-expect-error -- lint has no colour
  const further = { lint: group<Lint>({ charset: levels, colour: yesNo() }) } satisfies Rows;
  expect([without, unknown, few, many, any, kind, inner, further]).toHaveLength(8);
  expect(currency.kind).toBe('text');
});

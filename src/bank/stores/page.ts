import type { SqlValue } from '../books/database.ts';

/** A part of a list: at most `limit` rows after the one with an id, oldest or newest first. */
export interface Page {
  after: string | undefined;
  limit: number;
  newest: boolean;
}

/** The end of a SELECT that reads a page of a table whose ids are in a column, and its values. */
export function pageOf(
  table: string,
  id: string,
  { after, limit, newest }: Page,
  only = 'TRUE',
): [sql: string, ...values: SqlValue[]] {
  const from = `(SELECT rowid FROM ${table} WHERE ${id} = ?)`;
  const beyond = newest
    ? `rowid < coalesce(${from}, ${String(2n ** 63n - 1n)})`
    : `rowid > coalesce(${from}, 0)`;
  return [
    `WHERE ${beyond} AND ${only} ORDER BY rowid ${newest ? 'DESC' : 'ASC'} LIMIT ?`,
    after ?? null,
    limit,
  ];
}

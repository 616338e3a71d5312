/** Every column that holds sealed values, by the kind that people know. */
export const sealedColumns = [
  { kind: 'intents', table: 'intent', column: 'record' },
  { kind: 'intents', table: 'intent', column: 'ending' },
  { kind: 'records of the journal', table: 'record', column: 'record' },
  { kind: 'open writes', table: 'open_write', column: 'mark' },
  { kind: 'resources', table: 'resource', column: 'record' },
  { kind: 'authorisations', table: 'conversation', column: 'record' },
  { kind: 'credentials', table: 'credential', column: 'record' },
  { kind: 'shared keys', table: 'shared_key', column: 'record' },
  { kind: 'counts of calls', table: 'usage', column: 'record' },
] as const;

/** The id of the key that has sealed a value: it follows the byte of the format. */
export const keyIdOf = (column: string): string => `encode(substring(${column} FROM 2 FOR 8), 'hex')`;

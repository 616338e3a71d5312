type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
} & { [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name] };

/** Of these members those that are not undefined, for an object that is to lack the others: `{ id, ...defined({ at, by }) }`. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Members>;
}

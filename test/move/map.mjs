// old folder or file (below src) -> new
export const table = [
  ['main.ts', 'main.ts'],
  ...['clean', 'command-line', 'errors', 'html', 'nearest', 'profile-name', 'secret', 'url'].map((n) => [
    `${n}.ts`,
    `base/${n}.ts`,
  ]),
  ['redaction/', 'base/redaction/'],
  ['xs2a/', 'standard/xs2a/'],
  ['sca/', 'standard/sca/'],
  ['formats/', 'standard/formats/'],
  ['signing/', 'signing/'],
  ['referee/', 'referee/'],
  ['settings/', 'settings/profile/'],
  ['banks/', 'settings/banks/'],
  ['doors/', 'settings/doors/'],
  ['documents/', 'settings/documents/'],
  ['records/', 'settings/records/'],
  ['flows/check/', 'tester/check/'],
  ['journeys/', 'tester/journeys/'],
  ['flows/', 'client/'],
  ['ports/bank.ts', 'bank/door.ts'],
  ['ports/', 'client/ports/'],
  ['ports.ts', 'client/ports.ts'],
  ['sandbox/', 'bank/'],
  ['adapters/', 'adapters/'],
  ['commands/', 'cli/commands/'],
  ['program/', 'cli/program/'],
  ['render/', 'cli/render/'],
  ['completion/', 'cli/completion/'],
  ['context.ts', 'cli/context.ts'],
  ['command.ts', 'cli/command.ts'],
  ['outcome.ts', 'cli/outcome.ts'],
];
export const newOf = (p) => {
  for (const [a, b] of table) if (p === a) return b;
  for (const [a, b] of table) if (a.endsWith('/') && p.startsWith(a)) return b + p.slice(a.length);
};

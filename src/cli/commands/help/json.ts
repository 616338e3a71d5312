import type { Register, Run } from '../../command.ts';

const text = [
  'What --json prints: the whole result, on every command; errors on stderr.',
  '',
  'RULES',
  '  A list is an array at the top. Money is text, never a number. Members of the',
  "  interface have the bank's names; more members may come with any release.",
  '  A terminal gets indented JSON, a pipe one line. Where stderr is no terminal',
  '  each line of it is an object, too: notice, warning, call; error as the last.',
  '',
  'FLAGS',
  '  --fields a,b.c     these members only',
  '  --jq EXPR          filter; texts are printed without quotes',
  '  --meta             request id, status and duration as _obk',
  '  -o ndjson          one line of JSON for each row',
  '  -o yaml            the same as YAML',
  '',
  'EXAMPLES',
  "  $ obk payment list --jq '.[].paymentId'",
  '  $ obk commands --jq .schemas.payment   # the JSON Schema of a payment',
  '  $ obk commands --jq .schemas.error     # of what fails',
  '',
  'LEARN MORE',
  '  obk help scripting',
  '  docs/scripting.md',
  '',
].join('\n');

export const register: Register = (command, start) =>
  start(
    command,
    { examples: ["obk payment list --jq '.[].paymentId'", 'obk commands --jq .schemas.payment'], text },
    run,
  );

const run: Run<object> = () => Promise.resolve({ kind: 'data', data: { text }, text: () => text });

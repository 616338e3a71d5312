import type { Register, Run } from '../../command.ts';

const text = [
  'How scripts use obk: it never waits for a person who is not there.',
  '',
  'RULES',
  '  stdout is data, stderr is everything else. Without a terminal, with CI set or',
  '  with --no-input, what is missing ends with exit 2 and every flag that helps.',
  '  Exit 12: a payment was sent and its outcome is unknown. Do not run it',
  '  again; see obk pending list. Exit 7: nothing left, it is safe to run again.',
  '',
  'EXAMPLES',
  "  $ obk payment list --jq '.[0].paymentId'",
  '  $ obk whoami --profile sandbox --expect environment=sandbox   # else exit 10',
  '  $ obk config list --profile sandbox -o csv',
  '',
  'LEARN MORE',
  '  obk help exit-codes',
  '  obk help environment',
  '  obk help references',
  '  docs/scripting.md',
  '',
].join('\n');

export const register: Register = (command, start) =>
  start(
    command,
    {
      examples: [
        "obk payment list --jq '.[0].paymentId'",
        'obk whoami --profile sandbox --expect environment=sandbox',
        'obk config list --profile sandbox -o csv',
      ],
      text,
    },
    run,
  );

const run: Run<object> = () => Promise.resolve({ kind: 'data', data: { text }, text: () => text });

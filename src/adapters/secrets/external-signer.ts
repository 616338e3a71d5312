import { isAbsolute } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { ExternalSigner } from '../../client/ports/certificates.ts';
import type { Clock } from '../../client/ports/clock.ts';
import { runProgram, splitWords } from '../system/run-program.ts';
import type { Ended } from '../system/run-program.ts';

const limitMs = 10_000;
const maxBytes = 64 * 1024;

export function createSigner(options: {
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  signal?: AbortSignal;
}): ExternalSigner {
  const { env, clock, signal } = options;
  return {
    sign: async (command, { bytes, ...rest }) => {
      const words = splitWords(command.replace(/^cmd:/, '')) ?? [];
      const [program = ''] = words;
      if (!command.startsWith('cmd:') || !isAbsolute(program)) {
        throw new ObkError({
          code: 'PROFILE_INVALID',
          title: 'The signer of the profile is no command.',
          // PATH could put another program in its place.
          detail: `${JSON.stringify(command)} is not cmd: and an absolute path.`,
          hint: ['obk profile edit NAME --signer "cmd:/absolute/path args"'],
        });
      }
      const ended = await runProgram(words, {
        env,
        // The signer's stderr goes to the person.
        stdio: ['pipe', 'pipe', 'inherit'],
        input: Buffer.from(`${JSON.stringify({ ...rest, bytes: Buffer.from(bytes).toString('base64') })}\n`),
        clock,
        limitMs,
        maxBytes,
        ...(signal && { signal }),
      });
      return signatureOf(program, ended);
    },
  };
}

function signatureOf(program: string, ended: Ended): Uint8Array {
  if (ended.kind === 'exit' && ended.code === 0) {
    const text = ended.stdout.toString('latin1').trim();
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return Buffer.from(text, 'base64');
  }
  throw new ObkError({
    code: 'SIGNING_FAILED',
    title: 'The signer of the profile returned no signature.',
    detail: `${program} ${whyOf(ended)}; nothing was sent.`,
    hint: ['It reads {"algorithm","bytes"} as JSON on stdin and writes the signature in base64.'],
  });
}

function whyOf(ended: Ended): string {
  switch (ended.kind) {
    case 'exit':
      return ended.code === 0 ? 'wrote something that is not base64' : `ended with exit code ${ended.code}`;
    case 'not-started':
      return 'could not be started';
    case 'too-slow':
      return `did not end within ${limitMs / 1000} seconds`;
    case 'too-much':
      return `wrote more than ${maxBytes} bytes`;
    case 'killed':
      return 'was killed';
  }
}

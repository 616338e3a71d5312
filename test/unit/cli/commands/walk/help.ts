import type { Cases } from './walk.ts';

const tooMany = { words: 'too many', exit: 2, code: 'USAGE' };

export const help: Cases = {
  commands: { runs: [{ words: '' }], fails: [tooMany] },
  version: { runs: [{ words: '' }], fails: [tooMany] },
  help: { runs: [{ words: 'payment init' }], fails: [{ words: 'paymnt', exit: 2, code: 'USAGE' }] },
  'help exit-codes': { runs: [{ words: '' }], fails: [tooMany] },
  'help errors': { runs: [{ words: '' }], fails: [tooMany] },
  'help flags': { runs: [{ words: '' }], fails: [tooMany] },
  'help environment': { runs: [{ words: '' }], fails: [tooMany] },
  'help json': { runs: [{ words: '' }], fails: [tooMany] },
  'help scripting': { runs: [{ words: '' }], fails: [tooMany] },
  'help references': { runs: [{ words: '' }], fails: [tooMany] },
};

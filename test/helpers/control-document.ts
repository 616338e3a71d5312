import { writeFileSync } from 'node:fs';
import { controlDocument } from '../../src/bank/control/operations.ts';

/** Writes the OpenAPI document of the control API (`npm run completions`); a test compares it. */
writeFileSync('docs/bank/control.openapi.json', `${JSON.stringify(await controlDocument(), null, 2)}\n`);

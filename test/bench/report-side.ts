// Reads a report alone, without a command around it and without output: the yardstick of P11, and one side of P12.
import { createReadStream } from 'node:fs';
import { readReport } from '../../src/formats/reports/report.ts';

let rows = 0;
// In pieces as obk reads them.
const bytes = createReadStream(process.argv[2] ?? '', { highWaterMark: 256 * 1024 });
for await (const items of readReport(bytes)) for (const item of items) if (item.kind === 'row') rows += 1;
if (rows !== Number(process.argv[3])) throw new Error(`${String(rows)} rows`);

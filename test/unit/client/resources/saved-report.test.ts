import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { noFacts, readSavedReports } from '../../../../src/client/resources/saved-report.ts';
import { memoryFiles } from '../../../helpers/fakes/index.ts';

const statement = (rows: number) =>
  ':20:S\r\n:25:10020030/1234567\r\n:28C:1/1\r\n:60F:C260102EUR1000,00\r\n' +
  ':61:2601020102DR1,25NTRFREF\r\n:86:177?00SEPA TRANSFER?20Invoice?32Some Name\r\n'.repeat(rows) +
  ':62F:C260102EUR1000,00\r\n-\r\n';

it('a saved report keeps the balances of many statements, and not the file around them', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const part = Buffer.from(statement(700));
  const files = memoryFiles();
  files.stream = async function* () {
    for (let made = 0; made < 400; made += 1) yield await Promise.resolve(part);
  };
  const facts = noFacts();
  const heap: number[] = [];
  for await (const _ of readSavedReports(files, ['report'], {
    limit: Infinity,
    facts,
    atEnd: () => undefined,
  })) {
    if (facts.balances.length % 200 > 1) continue;
    collect();
    heap.push(process.memoryUsage().heapUsed);
  }
  expect([facts.rows, facts.balances.length]).toEqual([280_000, 800]);
  expect(Math.max(...heap) - heap[0]!, `${String(part.length * 400)} bytes were read`).toBeLessThan(
    3_000_000,
  );
});

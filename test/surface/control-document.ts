import type { Obk } from '../helpers/obk.ts';

/** The OpenAPI document of the control API, as a bank that runs serves it. */
export async function controlDocument(obk: Obk): Promise<string> {
  const bank = obk.start(['sandbox', 'start', '--port', '0', '--json']);
  const ended = new Promise((done) => bank.once('close', done));
  try {
    const { origin } = await address(bank);
    const answer = await fetch(new URL('/sandbox/api/openapi.json', origin));
    if (!answer.ok) throw new Error(`the document of the control API: ${String(answer.status)}`);
    return (await answer.text()).replaceAll(new URL(origin).host, 'HOST');
  } finally {
    bank.kill('SIGTERM');
    await ended;
  }
}

function address(bank: ReturnType<Obk['start']>): Promise<{ origin: string }> {
  return new Promise((done, failed) => {
    let text = '';
    bank.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end < 0) return;
      const { baseUrl } = JSON.parse(text.slice(0, end)) as { baseUrl: string };
      done({ origin: new URL(baseUrl).origin });
    });
    bank.once('close', () => {
      failed(new Error(`the bank ended: ${text}`));
    });
  });
}

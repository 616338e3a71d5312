import type { CallJudge, Context } from '../../context.ts';
import { harOfViews } from '../../../client/evidence/har.ts';
import type { ExchangeView } from '../../../settings/records/exchange.ts';

/** Keeps what a judge of calls hears for the file of --trace, which is written when the run has ended. */
export function tracedCalls(context: Context): <Judge extends CallJudge>(judge: Judge) => Judge {
  const { trace } = context.globals;
  if (trace === undefined) return (judge) => judge;
  const views: ExchangeView[] = [];
  context.atEnd(async () => {
    const document = harOfViews(views, { name: 'obk', version: context.process.version });
    await context.ports.files.write(trace, Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`), {
      force: true,
    });
  });
  return (judge) => ({
    ...judge,
    heard(view, bank) {
      views.push(view);
      judge.heard(view, bank);
    },
  });
}

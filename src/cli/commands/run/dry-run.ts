import type { Context } from '../../context.ts';
import { curlCommand } from '../../../client/evidence/write-curl.ts';
import type { Prepared } from '../../../client/exchange/prepared.ts';
import { viewOfPrepared } from '../../../client/exchange/exchange-view.ts';
import type { Outcome } from '../../outcome.ts';
import { dryRunDocument, dryRunText } from '../../render/exchange.ts';

/** The exact signed request in place of its answer; secrets in it are cut out. */
export function dryRunOutcome(context: Context, prepared: Prepared): Outcome {
  const curl = context.globals.curl === true ? curlCommand(prepared) : undefined;
  const document = dryRunDocument(viewOfPrepared(prepared), curl);
  return {
    kind: 'data',
    data: document,
    text: (style) => dryRunText(document, style),
    name: document.requestId,
  };
}

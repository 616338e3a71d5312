import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import type { Header } from '../../settings/records/wire.ts';
import { sha256Hex } from '../../signing/digest.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { isOperationId } from '../../standard/xs2a/operations.ts';
import { sendPrepared } from '../call/call.ts';
import { tokenHeaders } from '../call/prepare.ts';
import { connectionFacts } from '../exchange/connection.ts';
import type { Prepared } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { creations } from '../resources/unknown-writes.ts';
import type { UnknownWrite } from '../resources/unknown-writes.ts';

/** How long a bank knows an X-Request-ID again where nothing says it, and at most, in minutes. */
const usualWindow = 60;
const longestWindow = 24 * 60;

/** A write that can be sent once more as it was: the very bytes under the very X-Request-ID. */
export interface Replay {
  prepared: Prepared;
  item: UnknownWrite;
}

/**
 * Makes the request of an unknown write anew, byte by byte. Throws PROFILE_INVALID unless the operator has said that the bank
 * answers a known X-Request-ID again, and RESOURCE_NOT_SAVED where the bytes are not there any more or the time is over.
 */
export async function prepareReplay(target: Target, item: UnknownWrite): Promise<Replay> {
  const { profile, name, ports } = target;
  if (profile.requestIdSemantics !== 'replay') {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: 'This bank is not known to answer an X-Request-ID again that it has seen.',
      detail: `Without that a second request may be a second payment: requestIdSemantics of ${name} is ${profile.requestIdSemantics ?? 'unknown'}. Nothing was sent.`,
      hint: [
        line`obk config set requestIdSemantics replay --profile ${name}   # only if the bank itself says so`,
        item.next,
      ],
    });
  }
  if (creations[item.operation] === undefined)
    throw gone(item, 'It makes nothing, so that the bank can be asked what became of it.');
  // The description of a bank may be that of others, and shortens the time alone.
  const minutes = Math.min(profile.payments?.duplicateWindowMin ?? usualWindow, longestWindow);
  const age = ports.clock.now().getTime() - Date.parse(item.at);
  if (!(age >= 0 && age <= minutes * 60_000)) {
    throw gone(
      item,
      `It was sent more than ${String(minutes)} minutes ago, and the bank may know its id no more.`,
    );
  }
  const { mode, jws } = target.signing;
  if (mode === 'jws' && age > jws.maxAgeS * 1000)
    throw gone(
      item,
      `Its signature is older than ${String(jws.maxAgeS)} s, and the bank takes none that is (signing.jws.maxAgeS).`,
    );
  const record = await recordOf(target, item);
  const exact = record && (await ports.journal.exact(item.run, item.exchange));
  if (record === undefined || exact === undefined || !isOperationId(record.operation))
    throw gone(item, 'Its exact bytes are not in the journal any more.');
  const bytes = Buffer.from(exact.body, 'utf8');
  if (sha256Hex(bytes) !== record.bodySha256)
    throw gone(item, 'Its body held a secret, which the journal does not keep.');
  return { prepared: await again(target, record, exact.headers, bytes), item };
}

/** Sends it, once. What becomes of it is in the journal, also if obk is killed meanwhile. */
export async function sendReplay(target: Target, { prepared }: Replay): Promise<Answer> {
  const verdict = await sendPrepared(target, prepared, operation(idOf(prepared)));
  if (verdict.outcome === 'DONE') return verdict.answer;
  throw verdict.error;
}

const idOf = ({ operation: { id } }: Prepared) => {
  if (isOperationId(id)) return id;
  throw new Error(`${id} is no operation`);
};

type PreparedRecord = Extract<JournalRecord, { type: 'prepared' }>;

async function recordOf(
  { ports }: Target,
  { run, exchange }: UnknownWrite,
): Promise<PreparedRecord | undefined> {
  const records = await ports.journal.read(run);
  return records.find((one): one is PreparedRecord => one.type === 'prepared' && one.exchange === exchange);
}

const hidden = '[secret]';

async function again(
  target: Target,
  record: PreparedRecord,
  headers: readonly Header[],
  bytes: Uint8Array,
): Promise<Prepared> {
  const { url, requestId, resource } = record;
  const op = operation(isOperationId(record.operation) ? record.operation : 'initiatePayment');
  const input = { operation: op.id, ...defined({ resource }) };
  const token = await tokenHeaders(target, input, url);
  const kept = headers.filter(([, value]) => !value.includes(hidden));
  const cut = headers.filter(([, value]) => value.includes(hidden)).map(([name]) => name);
  const tokenHeader = target.profile.auth?.tokenHeader ?? 'Authorization';
  const other = cut.find((name) => name.toLowerCase() !== tokenHeader.toLowerCase());
  if (other !== undefined)
    throw new ObkError({
      code: 'RESOURCE_NOT_SAVED',
      title: 'The request cannot be sent again as it was.',
      detail: `Its header ${other} held a secret, which the journal does not keep. Nothing was sent.`,
    });
  const { pathname, search } = new URL(url);
  return {
    operation: { id: op.id, method: op.method },
    request: {
      method: record.method as Prepared['request']['method'],
      url,
      headers: [...kept, ...token],
      body: bytes,
    },
    path: pathname + search,
    requestId,
    write: true,
    shownBody: Buffer.from(bytes).toString('utf8'),
    bodySha256: record.bodySha256,
    hasSecret: false,
    signed: undefined,
    tls: await connectionFacts(target, url),
    // The intent belongs to the run that claimed it; request id and body tell that both are one write.
    input,
  };
}

function gone({ id, next }: UnknownWrite, why: string): ObkError {
  return new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title: `${id} cannot be sent again as it was.`,
    detail: `${why} Nothing was sent.`,
    hint: [next],
  });
}

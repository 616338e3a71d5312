/** The files of a report: itself, what its gzip holds, or those of a zip, each recognised before the first one is read. */
import { ObkError } from '../../../base/errors.ts';
import {
  beginningOf,
  capped,
  described,
  fileOf,
  gunzipped,
  refuse,
  tooLong,
  whole,
} from './report-source.ts';
import type { Bytes, ReportFile } from './report-source.ts';
import type { ReportHints } from '../rows/report-reader.ts';
import type { FaultCode } from '../text/text-source.ts';
import { zipFiles } from '../text/zip.ts';
import type { ZipFile } from '../text/zip.ts';

/** A file of a report, with its name where it stands in a zip; or what was left aside there, and why. */
export type ReportPart = { readonly file: ReportFile; readonly name?: string } | { readonly aside: string };

/** Reads a file until `enough` says so, or to its end; throws where it is no report. */
export type Probe = (file: ReportFile, enough: () => boolean) => Promise<void>;

/** A report is recognised by so many of its bytes. */
const probed = 64 * 1024;

/** Returns the files of a report. All of them together may have `maxBytes` (2 GiB). Throws ObkError with `hints.code`. */
export async function* reportFiles(
  chunks: Bytes,
  hints: ReportHints,
  probe: Probe,
): AsyncGenerator<ReportPart> {
  const { code = 'ANSWER_UNREADABLE', maxBytes = 2 ** 31 } = hints;
  const budget = { left: maxBytes };
  const { head, bytes } = await beginningOf(chunks);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const unpacked = await beginningOf(gunzipped(bytes, code));
    yield { file: fileOf(unpacked.head, capped(unpacked.bytes, budget, code), hints) };
  } else if (isZip(head)) {
    const archive = await whole(bytes, code);
    const members = [...zipFiles(archive, (why) => refuse(code, why))];
    const asides = new Map<ZipFile, string>();
    for (const member of members) {
      const aside = await recognised(member, hints, probe);
      if (aside === undefined) continue;
      asides.set(member, aside);
      yield { aside: `${quoted(member.name)} in the zip was left aside: it is ${aside}` };
    }
    if (asides.size === members.length) refuse(code, 'the zip holds no statement');
    for (const member of members)
      if (!asides.has(member))
        yield { file: await opened(member, hints, budget), name: `${quoted(member.name)} in the zip` };
  } else yield { file: fileOf(head, capped(bytes, budget, code), hints) };
}

/** Says of what went wrong with a file of a zip which one it is. */
export function inZip(name: string | undefined, error: unknown): unknown {
  if (name === undefined || !(error instanceof ObkError) || error.detail?.includes(name) === true)
    return error;
  const { code, title, detail = '', hint } = error;
  if (detail.startsWith(tooLong)) return error;
  return new ObkError({ code, title, detail: `${name}: ${detail}`, hint, cause: error });
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 100));
/** A file of an archive, or the end of one without any. */
const isZip = (head: Buffer): boolean =>
  ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(head.subarray(0, 4).toString('latin1'));

/** Looks at the beginning of a file of a zip: returns what it is, if that is nothing to be read, and throws if it is no report. */
async function recognised(member: ZipFile, hints: ReportHints, probe: Probe): Promise<string | undefined> {
  const named = byName(member.name);
  if (named !== undefined) return named;
  const { code = 'ANSWER_UNREADABLE', maxBytes = 2 ** 31 } = hints;
  let size = 0;
  async function* counted(bytes: Bytes): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      size += piece.length;
      yield piece;
    }
  }
  const { head, bytes } = await beginningOf(unpacked(member, code));
  const other = byContent(head);
  try {
    if (other === undefined)
      await probe(
        fileOf(head, capped(counted(bytes), { left: maxBytes }, code), hints),
        () => size >= probed,
      );
  } catch (error) {
    throw inZip(`${quoted(member.name)} in the zip`, error);
  } finally {
    // What was not read of it is not unpacked.
    await bytes[Symbol.asyncIterator]().return?.(undefined);
  }
  return other;
}

async function opened(member: ZipFile, hints: ReportHints, budget: { left: number }): Promise<ReportFile> {
  const { code = 'ANSWER_UNREADABLE' } = hints;
  const { head, bytes } = await beginningOf(capped(unpacked(member, code), budget, code));
  return fileOf(head, bytes, hints);
}

const unpacked = (member: ZipFile, code: FaultCode): Bytes =>
  described(member.open(), `${quoted(member.name)} in the zip cannot be unpacked`, code);

/** What macOS writes into each zip. */
function byName(name: string): string | undefined {
  const parts = name.split(/[\\/]/);
  const last = parts.at(-1) ?? '';
  const isOfMac = parts.includes('__MACOSX') || last.startsWith('._') || last === '.DS_Store';
  return isOfMac ? 'a note of macOS' : undefined;
}

const magic: readonly (readonly [begin: string, what: string])[] = [
  ['%PDF', 'a PDF'],
  ['II*\0', 'a picture (TIFF)'],
  ['MM\0*', 'a picture (TIFF)'],
  ['\x89PNG', 'a picture (PNG)'],
  ['\xff\xd8\xff', 'a picture (JPEG)'],
];

/** What a bank puts beside its statements, or nothing at all. */
function byContent(head: Buffer): string | undefined {
  if (head.length === 0) return 'empty';
  const begin = head.subarray(0, 4).toString('latin1');
  return magic.find(([sign]) => begin.startsWith(sign))?.[1];
}

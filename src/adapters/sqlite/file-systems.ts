import { statfsSync } from 'node:fs';
import { ObkError } from '../../base/errors.ts';

/** The number by which Linux tells a file system (linux/magic.h); undefined where the system says nothing of that kind. */
export type TypeOf = (folder: string) => number | undefined;

export const typeOnThisMachine: TypeOf = (folder) => {
  // Elsewhere the number depends on the machine, or is always the same.
  if (process.platform !== 'linux') return undefined;
  try {
    return statfsSync(folder).type >>> 0;
  } catch {
    return undefined;
  }
};

/** A write-ahead log needs memory that all processes share, and locks that hold: these have not both (https://sqlite.org/wal.html). */
const unfit = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x65735546, 'FUSE or virtiofs'],
  [0x01021997, '9p'],
]);

/** Those of one machine. */
const local = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0x01021994, 0x858458f6, 0x794c7630, 0xf2f52010],
  // exFAT, FAT, NTFS, HFS+, JFS, ReiserFS, NILFS, bcachefs, eCryptfs, UBIFS, squashfs, EROFS, ISO 9660, UDF, JFFS2, aufs
  ...[0x2011bab0, 0x4d44, 0x7366746e, 0x5346544e, 0x482b, 0x3153464a, 0x52654973, 0x3434, 0xca451a4e],
  ...[0xf15f, 0x24051905, 0x73717368, 0xe0f5e1e2, 0x9660, 0x15013346, 0x72b6, 0x61756673],
]);

/** Throws STATE_NOT_WRITTEN where SQLite would lose what it writes; warns where that is not known. */
export function needFitFileSystem(folder: string, typeOf: TypeOf, warn: (line: string) => void): void {
  const type = typeOf(folder);
  if (type === undefined || local.has(type)) return;
  const name = unfit.get(type);
  if (name === undefined) {
    warn(
      `The state is on a file system that obk does not know (${hex(type)}): ${folder}. It must be one of this machine; if it is not, set OBK_STATE_DIR.`,
    );
    return;
  }
  throw new ObkError({
    code: 'STATE_NOT_WRITTEN',
    title: `The state cannot be kept on ${name}.`,
    detail: `${folder} is on a file system on which SQLite can lose or damage what it writes (${hex(type)}).`,
    hint: [
      'export OBK_STATE_DIR=FOLDER   # on a disk of this machine',
      'Or keep the state in PostgreSQL: obk state --help',
    ],
  });
}

const hex = (type: number): string => `0x${type.toString(16)}`;

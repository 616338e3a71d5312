import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import { weakWords } from '../../settings/profile/ciphers.ts';

// IANA TLS Cipher Suites registry: numbers by what is wrong with them.
const weak: readonly (readonly [what: string, suites: string])[] = [
  [
    'no encryption (NULL)',
    '0000 0001 0002 002c 002d 002e 003b 00b0 00b1 00b4 00b5 00b8 00b9 c001 c006 c00b c010 c015 c039 c03a c03b c0b4 c0b5',
  ],
  [
    'no authentication (anonymous)',
    '0017 0018 0019 001a 001b 0034 003a 0046 006c 006d 0089 009b 00a6 00a7 00bf 00c5 c016 c017 c018 c019 c046 c047 c05a c05b c084 c085',
  ],
  ['export strength', '0003 0006 0008 000b 000e 0011 0014 0026 0027 0028 0029 002a 002b 0062 0063 0064 0065'],
  ['RC4', '0004 0005 0020 0024 0066 008a 008e 0092 c002 c007 c00c c011 c033'],
  [
    'DES or 3DES',
    '0009 000a 000c 000d 000f 0010 0012 0013 0015 0016 001e 001f 0022 0023 008b 008f 0093 c003 c008 c00d c012 c01a c01b c01c c034',
  ],
];
const why = new Map(
  weak.flatMap(([what, suites]) => suites.split(' ').map((suite) => [parseInt(suite, 16), what] as const)),
);

/** Throws CONNECTION_INSECURE where OpenSSL selects a weak suite by this list, however it is written. */
export async function needSafeCiphers({ http }: Pick<Ports, 'http'>, list: string): Promise<void> {
  const said = weakWords(list);
  if (said !== undefined) throw refused(said);
  const suites = await http.offeredCiphers(list);
  if (suites === undefined) throw refused('OpenSSL knows none of its suites.');
  const found = suites.find((suite) => why.has(suite));
  if (found !== undefined)
    throw refused(
      `It selects suites with ${why.get(found) ?? ''}; !aNULL:!eNULL at its end leaves them out.`,
    );
}

function refused(detail: string): ObkError {
  return new ObkError({
    code: 'CONNECTION_INSECURE',
    title: 'The setting tls.ciphers is not used, and nothing was sent.',
    detail,
    hint: ["obk profile edit NAME --tls-ciphers ''"],
  });
}

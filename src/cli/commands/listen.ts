import type { Flags, OptionsOf, Register, Run } from '../command.ts';
import { line } from '../../base/command-line.ts';
import type { Context } from '../context.ts';
import type { Target } from '../../client/exchange/target.ts';
import { bankCertificates, isBankKnown } from '../../client/notifications/bank-certificate.ts';
import { forward } from '../../client/notifications/forward.ts';
import { listeningPlace } from '../../client/notifications/listening-place.ts';
import { confirmedNotifications } from '../../client/notifications/receive.ts';
import type { ConfirmedNotification } from '../../client/notifications/receive.ts';
import type { PrintedRow } from '../outcome.ts';
import type { NotificationListener, NotificationPlace } from '../../client/ports/notifications.ts';
import { nearest } from '../../base/nearest.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { consentStatuses, scaStatuses, transactionStatuses } from '../../standard/xs2a/codes.ts';
import { integer, reference, usageError } from './flags/flag-values.ts';
import { followed } from './run/follow.ts';
import { openBank } from './run/with-target.ts';

const flags = (command: Flags) =>
  command
    .option('--port <N>', 'port to listen at; 0 takes a free one', integer('--port', 0, 65_535))
    .option('--address <ADDR>', 'IP address to listen at; another one than loopback by TLS', '127.0.0.1')
    .option('--https', 'listen by TLS, with the TLS certificate (QWAC) of the profile')
    .option('--tls-certificate <FILE>', 'listen by TLS, with this certificate')
    .option('--tls-key <FILE>', 'its key')
    .option(
      '--tls-key-passphrase-from <REF>',
      'reference to the passphrase of that key',
      reference('--tls-key-passphrase-from'),
    )
    .option(
      '--forward <URL>',
      'hand each confirmed notification on (https, or http on this machine)',
      forwardUrl,
    )
    .option(
      '--until <STATUS>',
      'end with the first confirmed status that is this one, such as ACSC',
      anyStatus,
    )
    .option(
      '--per-minute <N>',
      'so many notifications in a minute are confirmed, the others are answered 503',
      integer('--per-minute', 1, 10_000),
      120,
    );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: "Receive the bank's notifications, and confirm each one by asking the bank",
      examples: [
        'obk listen --port 8090',
        'obk listen --port 8090 --until ACSC',
        'obk listen --port 8090 --forward http://127.0.0.1:3000/notifications',
        'obk listen --https --address 0.0.0.0 --port 8443',
      ],
      exits: [3, 130],
      more: ['obk help payment init', 'obk help sandbox start'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const target = await openBank(context, {});
  const { ports } = context;
  const place = await listeningPlace(target, {
    ...options,
    https: options.https === true,
    ...(options.tlsCertificate !== undefined && {
      tlsCertificate: ports.files.absolute(options.tlsCertificate),
    }),
    ...(options.tlsKey !== undefined && { tlsKey: ports.files.absolute(options.tlsKey) }),
  });
  if (place.tls !== undefined && !(await isBankKnown(target)))
    throw usageError(
      `Nothing tells the certificate of the bank of ${target.name}: its address is http, and it has no CA.`,
      line`obk profile edit ${target.name} --ca bank-ca.pem`,
    );
  if (options.forward !== undefined) needElsewhere(options.forward, place);
  context.signal.throwIfAborted();
  const listener = await ports.notifications.listen(place);
  const host = place.address.includes(':') ? `[${place.address}]` : place.address;
  const scheme = place.tls === undefined ? 'http' : 'https';
  ports.notices.say(
    `Listening at ${scheme}://${host}:${listener.port}${place.path ?? '/'} (Ctrl-C ends it).`,
  );
  return followed(context, {
    kind: 'rows',
    columns: [
      { key: 'at', title: 'AT' },
      { key: 'noun', title: 'OF' },
      { key: 'id', title: 'ID' },
      { key: 'told', title: 'TOLD' },
      { key: 'confirmed', title: 'CONFIRMED' },
    ],
    nameKey: 'id',
    empty: 'No notification has come.',
    linesOfJson: true,
    rows: rows(context, target, listener, options),
  });
};

async function* rows(
  context: Context,
  target: Target,
  listener: NotificationListener,
  options: Options,
): AsyncGenerator<PrintedRow> {
  const { ports, signal } = context;
  const end = () => void listener.close();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const { profiles } = await ports.settings.read();
  const receiving = {
    ports,
    // Its own resources first; those of the others by their profiles.
    profiles: [...new Set([target.name, ...Object.keys(profiles)])],
    open: opened(context, target),
    certificates: bankCertificates(),
    perMinute: options.perMinute,
    signal,
  };
  try {
    for await (const { received, ...confirmed } of confirmedNotifications(receiving, listener)) {
      const url = options.forward;
      const handedOn = url === undefined ? {} : { forwarded: await forward(ports, url, received, signal) };
      yield { ...confirmed, ...handedOn };
      if (options.until !== undefined && statusesOf(confirmed).includes(options.until)) return;
    }
  } finally {
    signal.removeEventListener('abort', end);
    await listener.close();
  }
}

/** The bank of each profile, opened when the first notification of its resources comes. */
function opened(context: Context, own: Target): (profile: string) => Promise<Target> {
  const targets = new Map([[own.name, Promise.resolve(own)]]);
  return (profile) => {
    const target =
      targets.get(profile) ?? openBank({ ...context, globals: { ...context.globals, profile } }, {});
    targets.set(profile, target);
    return target;
  };
}

function statusesOf({ confirmed }: Pick<ConfirmedNotification, 'confirmed'>): (string | null)[] {
  return Object.values(confirmed) as (string | null)[];
}

/** Refuses an address of the listener itself: each notification would come again, and again be asked about. Throws USAGE. */
function needElsewhere(url: string, { address, port }: NotificationPlace): void {
  const { hostname, port: own, protocol } = new URL(url);
  const target = own === '' ? (protocol === 'https:' ? 443 : 80) : Number(own);
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (target !== port || !(isLoopback(hostname) || bare === address)) return;
  throw usageError(
    `--forward leads back to port ${String(port)}, where obk listens itself.`,
    line`obk listen --port ${String(port)} --forward ${'http://127.0.0.1:3000/notifications'}`,
  );
}

const known: readonly string[] = [...transactionStatuses, ...consentStatuses, ...scaStatuses].map(
  ({ code }) => code,
);

function anyStatus(text: string): string {
  if (known.includes(text)) return text;
  throw usageError(
    `--until takes a status of a payment, consent or authorisation; not ${JSON.stringify(text)}.`,
    ...nearest(text, known).map((status) => line`obk listen --until ${status}`),
  );
}

function forwardUrl(text: string): string {
  const url = parseUrl(text);
  const isGood =
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) &&
    url.username === '' &&
    url.password === '';
  if (isGood) return text;
  throw usageError(
    '--forward takes an https address, or an http one on this machine, without a user.',
    line`obk listen --forward ${'http://127.0.0.1:3000/notifications'}`,
  );
}

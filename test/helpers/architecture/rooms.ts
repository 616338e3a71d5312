/** A house of `src`: what it is for, and which houses it may import, types included. */
export interface House {
  holds: string;
  may: readonly string[];
}

const below = ['base', 'standard', 'signing', 'referee', 'settings'];

/** The ten houses, each after those that it may import. src/README.md draws them. */
export const houses: Readonly<Record<string, House>> = {
  base: {
    holds:
      'what everything stands on: errors, secrets, the cleaner of foreign text, URLs, HTML, redaction, command lines, the opener of SQLite',
    may: [],
  },
  standard: {
    holds: 'the interface as facts, the conversation of SCA, and messages in files; pure',
    may: ['base'],
  },
  signing: {
    holds: 'Digest, Signature, JWS and certificates, as a client makes them',
    may: ['base', 'standard'],
  },
  referee: { holds: 'the judge of requests and answers, with code of its own', may: ['base', 'standard'] },
  settings: {
    holds:
      'what a person may set and what is kept: profiles, descriptions of banks, doors, records, and their documents',
    may: ['base', 'standard', 'signing'],
  },
  client: { holds: 'what the tool does, through ports only', may: below },
  bank: { holds: 'the built-in bank', may: below },
  adapters: {
    holds: 'one outside thing each, behind a port of the client',
    may: ['base', 'standard', 'signing', 'settings', 'client'],
  },
  tester: { holds: 'journeys, and the check of a bank', may: [...below, 'client', 'bank', 'adapters'] },
  cli: {
    holds: 'commands, the program around them, what they print, completion and help',
    may: [...below, 'client', 'bank', 'adapters', 'tester'],
  },
};

/** A rule of one room or file that is finer than its house's. */
export interface Limit {
  /** What it may import of other houses. */
  values: readonly string[];
  /** What it may import types of, besides. */
  types?: readonly string[];
  why: string;
}

/** What a room may import of other houses where that is less than its house may; by its path below `src`. */
export const limits: Readonly<Record<string, Limit>> = {
  signing: {
    values: ['base', 'standard/xs2a/countries'],
    why: 'it knows bytes and certificates, and of the interface only the codes of countries',
  },
  referee: {
    values: ['base', 'standard/xs2a', 'standard/formats'],
    why: 'it judges messages and must not share the conversation of the client that sent them',
  },
  'settings/records': {
    values: ['base'],
    types: ['standard', 'signing'],
    why: 'records are types of what is kept, and load nothing',
  },
  'settings/documents': {
    values: ['base', 'standard/xs2a/json'],
    why: 'files by shapes, whatever they hold',
  },
  'settings/doors': { values: ['base', 'standard/xs2a'], why: 'both sides of a door read it' },
  'settings/banks': { values: ['base', 'standard/xs2a'], why: 'a description is data' },
  'client/ports': {
    values: ['base/errors', 'base/secret'],
    types: [...below],
    why: 'ports are interfaces, and load nothing',
  },
  bank: {
    values: ['base', 'standard/xs2a', 'standard/formats', 'settings', 'referee', 'signing/certificate'],
    why: 'the bank verifies by the hand of the referee and shares facts with the client, never its signature or conversation',
  },
  adapters: {
    values: ['base', 'client/state'],
    types: ['standard', 'settings', 'client/ports'],
    why: 'an adapter translates and decides nothing; what may become of what it keeps, the pure rules of the client say',
  },
  'tester/journeys': {
    values: ['base', 'settings/documents', 'standard/xs2a'],
    types: ['client/ports', 'settings', 'bank/door'],
    why: 'a step of a journey is a command line, never a flow that no person could run',
  },
  'cli/render': {
    values: ['base', 'standard/xs2a', 'standard/formats'],
    types: ['settings/records'],
    why: 'data to text, whoever asks for it',
  },
  'cli/context': {
    values: [],
    types: ['base', 'client', 'settings', 'bank/door', 'adapters'],
    why: 'it is types alone',
  },
  'cli/command': { values: [], types: ['base/fields'], why: 'it is types alone' },
  'cli/outcome': { values: ['base/errors'], why: 'it is types alone' },
  'cli/commands': {
    values: ['base', 'standard/xs2a', 'standard/sca', 'settings', 'client', 'tester'],
    types: ['bank/door'],
    why: 'what is outside reaches a command through ports, which the program gives',
  },
  'cli/completion': {
    values: ['adapters/candidates/candidates-file', 'adapters/files/directories', 'base/profile-name'],
    types: ['standard/sca'],
    why: 'a TAB must cost nothing, so it is one small file and opens no state',
  },
};

/** What one file may import beyond its limit. */
export const extraValues: Readonly<Record<string, readonly string[]>> = {
  'adapters/terminal/terminal-person': ['cli/render'],
  'adapters/settings/settings-shape': ['settings/profile'],
  'cli/commands/payment/init': ['standard/formats/payments/csv-columns'],
  'cli/commands/schemas/schemas': ['standard/formats/rows/transaction-row'],
  'cli/commands/transactions/transaction-columns': ['standard/formats/rows/transaction-row'],
};

/** Rooms that each room of their house may import. */
export const shared: Readonly<Record<string, readonly string[]>> = { client: ['ports'], bank: ['door'] };

/** Which rooms beside it a room may import (`any`: all of them), and what it holds. */
export type Room = readonly [may: string, holds?: string];

/** The rooms, by their path below `src`. */
export const rooms: Readonly<Record<string, Room>> = {
  'standard/xs2a': ['', 'the interface as facts: operations, frameworks, headers, links, codes, checks'],
  'standard/sca': [
    'xs2a',
    'one conversation of strong customer authentication: its state, and the next step',
  ],
  'standard/formats': [
    'xs2a/check-digits xs2a/countries xs2a/json xs2a/json-charset xs2a/media xs2a/wire',
    'messages in files: pain, camt, MT940, lists, amounts',
  ],
  'settings/records': ['profile', 'what is kept: settings, saved resources, records of the journal (types)'],
  'settings/documents': [
    '',
    'files that people write, YAML or JSON, read by shapes that are their JSON Schema too',
  ],
  'settings/profile': ['', 'every setting of a profile as one row: kind, flag, what is wrong with a value'],
  'settings/banks': [
    'documents profile records',
    'what is known of banks by platform, as files of data, and the reader of such a file',
  ],
  'settings/doors': ['', 'how the built-in bank is reached and whom it lets in, each setting as one row'],
  'client/ports': ['', 'interfaces of everything outside'],
  'tester/journeys': ['', 'journeys as files: read, run step by step as command lines of obk, judged'],
  'tester/check': ['', 'both sides of calls judged, and a bank tried by a suite'],
  'cli/commands': ['command context outcome render', 'one file per command, in a folder for each noun'],
  'cli/render': ['', 'data to text'],
  'cli/context': ['render', 'what a command gets (types)'],
  'cli/command': ['context outcome', 'what a command is (types)'],
  'cli/outcome': ['render', 'what a command returns'],
  'cli/completion': [
    '',
    'answers a TAB from the commands, the settings and the candidates in the cache; one small file of its own',
  ],
  'cli/program': [
    'any',
    'the tree of commands, loads, maps errors to exits, makes the context, prints; the edge of the process',
  ],
  'bank/door': ['control steering', 'the bank as everything outside of it knows it (types)'],

  'client/orders': [
    '',
    'payment orders, from fields or files to the body, what is wrong with them and what a status report says of them; pure',
  ],
  'client/state': ['', 'the rules of what is kept: what may become of an intent, whoever keeps it; pure'],
  'client/profile': ['', 'which profile, whether its settings are sound, and what the administrator allows'],
  'client/certificates': ['', 'certificates read, checked, made and imported'],
  'client/redaction': ['', 'secrets cut out of what is shown and kept'],
  'client/exchange': ['profile redaction', 'one request leaves once, is recorded and judged'],
  'client/oauth': ['exchange redaction', 'tokens got, kept, refreshed and given back'],
  'client/call': ['exchange oauth profile redaction', 'one operation of the interface as this bank wants it'],
  'client/resources': [
    'call exchange orders redaction',
    'what is known here of a payment, consent or basket, and of the writes that made it',
  ],
  'client/browser': ['call exchange oauth', 'the PSU goes to a page and comes back'],
  'client/sca': [
    'browser call exchange oauth orders profile redaction resources',
    'one authorisation led to its end',
  ],
  'client/authorisations': [
    'call exchange resources sca',
    'the authorisations of a payment, consent or basket listed, found and told apart',
  ],
  'client/consents': [
    'browser call exchange oauth orders resources',
    'consents created, chosen, counted and explained',
  ],
  'client/accounts': [
    'call consents exchange orders',
    'accounts, transactions and funds read under a consent',
  ],
  'client/payments': [
    'authorisations browser call exchange orders resources sca',
    'payments and baskets started, followed, cancelled and settled',
  ],
  'client/by-hand': [
    'accounts browser call consents exchange oauth orders payments resources sca',
    'a request that somebody has put together, and what is kept of what it did',
  ],
  'client/notifications': [
    'consents exchange payments profile sca',
    'what a bank pushes: read, judged, confirmed, handed on',
  ],
  'client/captures': ['', 'requests as other tools have written them: curl, text, HAR, logs in JSON'],
  'client/evidence': [
    'captures certificates exchange orders redaction resources',
    'what happened, for people and tickets: runs, HAR, curl, signatures, and what is kept of them how long',
  ],
  'client/doctor': [
    'accounts call certificates exchange oauth profile',
    'whether it works, and what a call would look like',
  ],
  'adapters/system': ['', 'the clock, programs that are run, who a process is'],
  'adapters/files': [
    'system',
    'files that are written whole, locked, listed and trusted, in the folders where they lie',
  ],
  'adapters/settings': ['files', 'config.json and the policy of the administrator'],
  'adapters/secrets': [
    'files settings system',
    'tokens as kept, the keyring, references to secrets, a signer outside',
  ],
  'adapters/sqlite': [
    'files system',
    'payments, intents, the journal and usage in SQLite, at home or for one run',
  ],
  'adapters/candidates': [
    'files system',
    'what a TAB offers of what is saved, as a text in the cache: noted by runs, read without the state',
  ],
  'adapters/postgres': ['files http settings system', 'the same in a PostgreSQL of several machines'],
  'adapters/shared-state': [
    'files postgres sqlite system',
    'that database made, checked, filled and emptied',
  ],
  'adapters/http': ['system', 'a request as it is sent and an answer as it is read; TLS and proxies'],
  'adapters/browser': ['http system', 'the browser of the PSU, its return, and the pushes of a bank'],
  'adapters/terminal': ['system', 'a person at a terminal, and one who answers from a script'],
  'standard/formats/money': ['', 'amounts as minor units, currencies'],
  'standard/formats/text': ['', 'bytes to characters, parts and archives'],
  'standard/formats/xml': ['text', 'XML read as a whole, read as it comes, and written'],
  'standard/formats/rows': [
    'money text',
    'a transaction as a row, the reader of a report as an interface, sums and chains of statements',
  ],
  'standard/formats/camt': ['money rows xml', 'camt.052 to .054'],
  'standard/formats/mt940': ['money rows text', 'MT940 and MT942'],
  'standard/formats/json': ['rows text', "transactions as the interface's JSON"],
  'standard/formats/reports': ['camt json mt940 rows text', 'a report of any of them, told apart'],
  'standard/formats/payments': ['money text xml', 'pain.001, pain.002 and CSV'],
  'bank/books': ['', 'people, accounts and money: SQLite and double entry'],
  'bank/rules': ['books', 'how this bank behaves today: switches, faults, refusals, the log of arrivals'],
  'bank/statements': ['books', 'what an account shows: entries with their past, balances, what is pending'],
  'bank/stores': ['books rules', 'payments, consents and baskets as kept'],
  'bank/booking': [
    'books rules stores',
    'an authorised payment: when it is booked, from and to which accounts, or why it is rejected',
  ],
  'bank/dialect': [
    'books rules',
    'a bank as a description has it: requests into the standard, answers into its words',
  ],
  'bank/trust': ['books dialect rules', 'who calls, verified by the referee'],
  'bank/sca': ['booking books rules stores trust', 'the side of the bank in an authorisation'],
  'bank/notifications': [
    'books rules sca stores trust',
    'wishes to be told, the changes that answer them, and the pushes',
  ],
  'bank/oauth': ['books dialect rules sca trust', 'authorization requests and tokens'],
  'bank/payments': [
    'booking books notifications oauth rules sca stores trust',
    'the handlers that change something: payments, baskets, consents, authorisations',
  ],
  'bank/accounts': ['books payments rules sca statements stores trust', 'the handlers that read'],
  'bank/interface': [
    'accounts books dialect oauth payments rules sca stores trust',
    'a request becomes a call, a handler and an answer',
  ],
  'bank/recording': [
    'interface rules trust',
    'what another bank has answered, told again with ids and times of now',
  ],
  'bank/pages': ['books oauth rules sca stores trust', 'what the PSU sees'],
  'bank/steering': ['booking books oauth rules sca stores', 'the hand of the tester'],
  'bank/openapi': [
    'config',
    'how the control API describes its operations, and the OpenAPI document of them',
  ],
  'bank/control': [
    'books config notifications oauth openapi rules sca statements steering stores trust',
    'what a tester can do to the bank: by HTTP, and by the commands of obk',
  ],
  'bank/config': [
    'books oauth payments rules sca statements stores trust',
    'a bank as its file describes it: read, checked, filled into a ledger, written from one',
  ],
  'bank/tenants': [
    'books interface rules trust',
    'those who have a ledger of their own each, and whose a request is',
  ],
  'bank/window': ['control', "what a tester's browser shows of the bank: one page, its style and its script"],
  'bank/window/page': [
    '',
    'the scripts of the window, typed for a browser, which call the control API; the build makes window/page.json of them',
  ],
  'bank/endpoints': ['dialect oauth pages rules sca trust', 'what is served besides the interface'],
  'bank/home': [
    'books trust',
    'the folder of a bank: its name, its address, its keys, and which process serves it',
  ],
  'bank/addressing': [
    'control home trust',
    'which bank a run means, and how a bank of another process is told what to do',
  ],
  'bank/process': [
    'accounts books config control dialect endpoints home interface notifications openapi payments recording rules statements steering tenants trust window',
    'where the bank runs: its doors and its server, inside or by itself',
  ],
  'bank/index': ['any', 'the bank as `ports` knows it'],
  'bank/words': ['books rules', 'what a shell completes of the bank'],
  'cli/commands/flags': ['', 'flags as values'],
  'cli/commands/output': ['flags', 'what is printed'],
  'cli/commands/run': ['flags output', 'what a command does around its work'],
  'cli/commands/catalogue': ['any', 'the tree of commands'],
  'cli/commands/commands': ['flags output schemas'],
  'cli/commands/accounts': ['flags output run consent'],
  'cli/commands/api': ['flags run'],
  'cli/commands/auth': ['flags output run'],
  'cli/commands/bank': ['flags run profile'],
  'cli/commands/basket': ['flags output run payment'],
  'cli/commands/cards': ['accounts transactions'],
  'cli/commands/cert': ['flags run profile'],
  'cli/commands/check': ['flags run'],
  'cli/commands/completion': ['flags'],
  'cli/commands/config': ['flags run profile'],
  'cli/commands/consent': ['flags output run payment'],
  'cli/commands/doctor': ['flags run cert'],
  'cli/commands/explain': ['help output'],
  'cli/commands/funds': ['flags run'],
  'cli/commands/help': ['flags output'],
  'cli/commands/journey': ['flags output run'],
  'cli/commands/listen': ['flags run'],
  'cli/commands/log': ['flags output run profile'],
  'cli/commands/payment': ['flags output run'],
  'cli/commands/pending': ['flags output run'],
  'cli/commands/profile': ['flags run'],
  'cli/commands/report': ['flags run'],
  'cli/commands/sandbox': ['flags output run'],
  'cli/commands/sca': ['flags output run'],
  'cli/commands/schemas': ['output', 'what `--json` prints, as JSON Schemas'],
  'cli/commands/sign': ['flags run profile'],
  'cli/commands/spec': ['flags'],
  'cli/commands/state': ['flags'],
  'cli/commands/transactions': ['flags accounts'],
  'cli/commands/version': [''],
  'cli/commands/whoami': ['run'],
};

/** Houses and rooms whose folders are small: so many files in each. */
export const smallRooms: Readonly<Record<string, number>> = {
  adapters: 20,
  bank: 20,
  client: 24,
  'standard/formats': 20,
  'tester/check': 20,
};

/** The files that own a package, by their path below `src`; a folder ends with a slash. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  'standard/xs2a/check': ['ibantools'],
  'standard/formats/xml/xml': ['fast-xml-parser', 'saxes'],
  'standard/formats/payments/csv': ['csv-parse'],
  'standard/formats/payments/csv-records': ['csv-parse'],
  'signing/certificate': ['@peculiar/x509', 'reflect-metadata'],
  'signing/pkcs12': ['node-forge'],
  'client/oauth/oauth-grants': ['oauth4webapi'],
  'cli/render/style': ['chalk'],
  'cli/render/table': ['string-width'],
  'adapters/http/undici-http': ['undici'],
  'adapters/http/undici-client': ['undici'],
  'adapters/http/http-line': ['undici'],
  'base/sqlite/engine': ['@photostructure/sqlite'],
  'settings/documents/document': ['yaml'],
  'bank/control/': ['hono', '@hono/node-server'],
  'bank/config/write-document': ['yaml'],
  'cli/render/yaml': ['yaml'],
  'bank/pages/': ['hono', '@hono/node-server'],
  'bank/endpoints/': ['hono', '@hono/node-server'],
  'adapters/settings/conf-file': ['conf'],
  'adapters/secrets/secret-stores': ['@napi-rs/keyring'],
  'adapters/terminal/terminal-person': ['inquirer'],
  'adapters/browser/browser': ['open'],
  'adapters/system/jq': ['jq-web'],
  'adapters/postgres/': ['pg'],
};

/** Packages of which a room may import types. */
export const packageTypes: Readonly<Record<string, readonly string[]>> = {
  'cli/command': ['commander'],
  'cli/commands': ['commander'],
};

/** The rooms that touch the outside: any built-in of Node, and the calls that are banned elsewhere. */
export const outside = ['adapters', 'bank', 'base/sqlite', 'cli/completion', 'main'];
export const pureBuiltins = new Set([
  'buffer',
  'url',
  'util',
  'zlib',
  'string_decoder',
  'path',
  'stream',
  'events',
]);
/** Built-ins that one room may use besides: sums over bytes, addresses, and the time that steps take. */
export const builtinsOf: Readonly<Record<string, readonly string[]>> = {
  signing: ['crypto'],
  referee: ['crypto'],
  'settings/doors': ['net'],
  'tester/journeys': ['crypto', 'perf_hooks'],
};

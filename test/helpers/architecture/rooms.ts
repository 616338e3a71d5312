/** What a room of `src` may import; rooms and single files by their path below `src`. */
export interface Room {
  values: readonly string[];
  types?: readonly string[];
  /** Packages of which only types may be imported. */
  packageTypes?: readonly string[];
  builtins?: readonly string[];
}

const facts = ['errors', 'secret', 'clean', 'url', 'command-line', 'nearest', 'profile-name'];

/** Who may import whom: the house as CONTRIBUTING.md draws it. `any` may import every room. */
export const rooms: Readonly<Record<string, Room | 'any'>> = {
  errors: { values: [] },
  secret: { values: [] },
  clean: { values: [] },
  url: { values: [] },
  'command-line': { values: ['clean'] },
  'profile-name': { values: ['url'] },
  nearest: { values: [] },
  xs2a: { values: facts },
  sca: { values: ['xs2a', 'errors'] },
  formats: { values: ['errors', 'xs2a/json', 'xs2a/media'], types: ['xs2a/wire'] },
  signing: { values: ['errors', 'secret'], builtins: ['crypto'] },
  records: { values: [], types: ['errors', 'secret', 'xs2a', 'sca', 'signing'] },
  ports: { values: ['errors', 'secret'], types: ['records', 'referee', 'xs2a', 'sca', 'doors'] },
  settings: { values: ['errors', 'url', 'nearest', 'xs2a', 'signing'], types: ['records'] },
  banks: {
    values: ['errors', 'command-line', 'documents', 'nearest', 'settings', 'xs2a'],
    types: ['records'],
  },
  journeys: {
    values: ['errors', 'nearest', 'secret', 'command-line', 'documents', 'xs2a'],
    types: ['ports', 'records'],
    builtins: ['crypto', 'perf_hooks'],
  },
  documents: { values: ['errors', 'nearest', 'xs2a/json'] },
  doors: { values: ['errors', 'url', 'nearest', 'command-line', 'xs2a'], builtins: ['net'] },
  outcome: { values: ['errors'], types: ['render'] },
  flows: {
    values: ['referee', 'xs2a', 'sca', 'formats', 'signing', 'settings', 'banks', ...facts],
    types: ['ports', 'records'],
  },
  render: { values: ['xs2a', 'formats', 'errors', 'clean', 'command-line'], types: ['records'] },
  adapters: { values: facts, types: ['ports', 'records', 'xs2a', 'sca'] },
  context: { values: [], types: ['ports', 'records', 'render', 'adapters', 'errors', 'command-line'] },
  command: { values: [], types: ['context', 'outcome'], packageTypes: ['commander'] },
  commands: {
    values: [
      'flows',
      'journeys',
      'render',
      'xs2a',
      'sca',
      'settings',
      'banks',
      'doors',
      'records/fault-kinds',
      ...facts,
    ],
    types: ['command', 'context', 'outcome', 'ports', 'records'],
    packageTypes: ['commander'],
  },
  referee: { values: ['xs2a', 'formats', 'errors', 'url', 'nearest'], builtins: ['crypto'] },
  sandbox: {
    values: [
      'xs2a',
      'formats',
      'referee',
      'signing/certificate',
      'records/fault-kinds',
      'banks',
      'settings',
      'doors',
      'documents',
      'nearest',
      'errors',
      'secret',
      'url',
      'profile-name',
    ],
    types: ['ports', 'records'],
  },
  completion: { values: ['adapters/directories', 'profile-name'], types: ['sca'] },
  program: 'any',
  main: 'any',
};

/** Rooms within rooms: what each may import of its own room, besides itself. `any` may import all of them. */
export const subRooms: Readonly<Record<string, string>> = {
  'flows/orders': '',
  'flows/profile': '',
  'flows/certificates': '',
  'flows/redaction': '',
  'flows/exchange': 'profile redaction',
  'flows/oauth': 'exchange redaction',
  'flows/call': 'exchange oauth profile redaction',
  'flows/resources': 'call exchange orders redaction',
  'flows/browser': 'call exchange oauth',
  'flows/sca': 'browser call exchange oauth orders profile redaction resources',
  'flows/authorisations': 'call exchange resources sca',
  'flows/consents': 'browser call exchange oauth orders resources',
  'flows/accounts': 'call consents exchange orders',
  'flows/payments': 'authorisations browser call exchange orders resources sca',
  'flows/notifications': 'consents exchange payments profile sca',
  'flows/evidence': 'certificates exchange orders redaction resources',
  'flows/check': 'accounts call consents evidence exchange profile redaction resources',
  'flows/doctor': 'accounts call certificates exchange oauth profile',

  'sandbox/books': '',
  'sandbox/rules': 'books',
  'sandbox/statements': 'books',
  'sandbox/stores': 'books rules',
  'sandbox/dialect': 'books rules',
  'sandbox/trust': 'books dialect rules',
  'sandbox/sca': 'books rules stores trust',
  'sandbox/notifications': 'books rules sca stores trust',
  'sandbox/oauth': 'books dialect rules sca trust',
  'sandbox/payments': 'books notifications oauth rules sca stores trust',
  'sandbox/accounts': 'books payments rules sca statements stores trust',
  'sandbox/interface': 'accounts books dialect oauth payments rules sca stores trust',
  'sandbox/recording': 'interface rules trust',
  'sandbox/pages': 'books oauth rules sca stores trust',
  'sandbox/steering': 'books config notifications oauth rules sca statements stores',
  'sandbox/control': 'books config notifications oauth rules sca statements steering stores trust',
  'sandbox/config': 'books oauth payments rules sca statements stores trust',
  'sandbox/tenants': 'books interface rules trust',
  'sandbox/window': '',
  'sandbox/endpoints': 'dialect oauth pages rules sca trust',
  'sandbox/home': 'books trust',
  'sandbox/addressing': 'home steering trust',
  'sandbox/process':
    'books config control dialect endpoints home interface notifications recording rules steering tenants trust window',
  'sandbox/index': 'any',
  'sandbox/words': 'books rules',

  'commands/flags': '',
  'commands/output': 'flags',
  'commands/run': 'flags output',
  'commands/catalogue': 'any',
  'commands/commands': 'flags output schemas',
  // The nouns, and the commands without one.
  'commands/accounts': 'flags output run consent',
  'commands/api': 'flags run',
  'commands/auth': 'flags output run',
  'commands/bank': 'flags run profile',
  'commands/basket': 'flags output run payment',
  'commands/cards': 'accounts transactions',
  'commands/cert': 'flags run profile',
  'commands/check': 'flags run',
  'commands/completion': 'flags',
  'commands/config': 'flags run profile',
  'commands/consent': 'flags output run payment',
  'commands/doctor': 'flags run cert doctor-all',
  'commands/doctor-all': '',
  'commands/explain': 'help output',
  'commands/funds': 'flags run',
  'commands/help': 'flags output',
  'commands/journey': 'flags output run',
  'commands/listen': 'flags run',
  'commands/log': 'flags output run profile',
  'commands/payment': 'flags output run',
  'commands/pending': 'flags output run',
  'commands/profile': 'flags run',
  'commands/report': 'flags run',
  'commands/sandbox': 'flags output run',
  'commands/sca': 'flags output run',
  'commands/schemas': 'sandbox',
  'commands/sign': 'flags run profile',
  'commands/spec': 'flags',
  'commands/state': 'flags',
  'commands/transactions': 'flags accounts',
  'commands/version': '',
  'commands/whoami': 'run',
};

/** Rooms whose folders are small: so many files, and none beside the folders but those that stand in `subRooms`. */
export const smallRooms: Readonly<Record<string, number>> = { flows: 20, sandbox: 20 };

/** The files that own a package, by their path below `src`; a folder ends with a slash. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  'xs2a/check': ['ibantools'],
  'formats/xml': ['fast-xml-parser', 'saxes'],
  'formats/csv': ['csv-parse'],
  'formats/csv-records': ['csv-parse'],
  'signing/certificate': ['@peculiar/x509', 'reflect-metadata'],
  'signing/pkcs12': ['node-forge'],
  'flows/oauth/oauth-grants': ['oauth4webapi'],
  'render/style': ['chalk'],
  'render/table': ['string-width'],
  'adapters/undici-http': ['undici'],
  'adapters/undici-client': ['undici'],
  'adapters/http-line': ['undici'],
  'sandbox/books/database': ['libsql'],
  'documents/document': ['yaml'],
  'sandbox/control/': ['hono', '@hono/node-server'],
  'sandbox/config/write-document': ['yaml'],
  'render/yaml': ['yaml'],
  'sandbox/pages/': ['hono', '@hono/node-server'],
  'sandbox/endpoints/': ['hono', '@hono/node-server'],
  'adapters/conf-file': ['conf'],
  'adapters/secret-stores': ['@napi-rs/keyring'],
  'adapters/terminal-person': ['inquirer'],
  'adapters/browser': ['open'],
  'adapters/jq': ['jq-web'],
  'adapters/postgres/': ['pg'],
};

/** What one file may import beyond its room. */
export const extraValues: Readonly<Record<string, readonly string[]>> = {
  'adapters/terminal-person': ['render'],
  'commands/payment/init': ['formats/csv-row'],
  'adapters/settings-shape': ['settings'],
};

/** The rooms that touch the outside: any built-in of Node, and the calls banned elsewhere. */
export const outside = new Set(['adapters', 'sandbox', 'main', 'completion']);
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

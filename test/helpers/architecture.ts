import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path/posix';
import ts from 'typescript';

/** A source file: its path from the root of the repository, with forward slashes, and its text. */
export interface Source {
  path: string;
  text: string;
}

interface Reference {
  specifier: string;
  typesOnly: boolean;
  /** `import()`: loaded when it is reached, not at start. */
  lazy: boolean;
}

interface Room {
  /** Rooms (or single files) whose values may be imported, by name from `src`. */
  values: string[];
  types?: string[];
  /** Packages by file name in this room; `*` is every file. */
  packages?: Record<string, string[]>;
  /** Packages of which only types may be imported. */
  packageTypes?: string[];
  builtins?: string[];
}

const facts = ['errors', 'secret', 'clean', 'url', 'command-line'];

/** Who may import whom: the house as CONTRIBUTING.md draws it. `any` may import every room. */
const rooms: Record<string, Room | 'any'> = {
  errors: { values: [] },
  secret: { values: [] },
  clean: { values: [] },
  url: { values: [] },
  'command-line': { values: ['clean'] },
  xs2a: { values: facts, packages: { check: ['ibantools'] } },
  sca: { values: ['xs2a', 'errors'] },
  formats: {
    values: ['errors', 'xs2a/json', 'xs2a/media'],
    types: ['xs2a/wire'],
    packages: { xml: ['fast-xml-parser', 'saxes'], csv: ['csv-parse'] },
  },
  signing: {
    values: ['errors', 'secret'],
    builtins: ['crypto'],
    packages: {
      certificate: ['@peculiar/x509', 'reflect-metadata'],
      pkcs12: ['node-forge'],
    },
  },
  ports: { values: ['errors', 'secret', 'records'], types: ['xs2a', 'sca'] },
  records: { values: ['errors', 'secret'], types: ['xs2a', 'sca', 'signing'] },
  outcome: { values: ['errors'], types: ['render'] },
  flows: {
    values: ['xs2a', 'sca', 'formats', 'signing', 'ports', ...facts],
    packages: { 'oauth-grants': ['oauth4webapi'] },
  },
  render: {
    values: ['xs2a', 'formats', 'errors', 'clean', 'command-line'],
    types: ['records'],
    packages: { style: ['chalk'], table: ['string-width'], qr: ['uqr'] },
  },
  adapters: {
    values: ['ports', ...facts],
    types: ['xs2a', 'sca'],
    packages: {
      'undici-http': ['undici'],
      'undici-client': ['undici'],
      'http-line': ['undici'],
      'conf-store': ['conf'],
      'secret-stores': ['@napi-rs/keyring'],
      'terminal-person': ['inquirer'],
      browser: ['open'],
      jq: ['jq-web'],
    },
  },
  commands: {
    values: ['flows', 'render', 'xs2a', 'context', 'outcome', 'ports', 'errors', 'url', 'command-line'],
    packageTypes: ['commander'],
  },
  sandbox: {
    values: ['xs2a', 'formats', 'signing/certificate', 'errors', 'secret', 'url'],
    types: ['ports'],
    packages: { '*': ['hono', '@hono/node-server', 'libsql'] },
  },
  completion: { values: [] },
  context: 'any',
  program: 'any',
  main: 'any',
};

/** What one file may do beyond its room. */
const extraValues: Record<string, string[]> = { 'adapters/terminal-person': ['render'] };

/** The rooms that touch the outside: any built-in of Node, and the calls banned elsewhere. */
const outside = new Set(['adapters', 'sandbox', 'main', 'completion']);
const pureBuiltins = new Set(['buffer', 'url', 'util', 'zlib', 'string_decoder', 'path', 'stream', 'events']);

/** Files that hold data and may be as long as the data is. */
const dataFiles = new Set([
  'src/xs2a/codes.ts',
  'src/xs2a/operations.ts',
  'src/xs2a/wire.ts',
  'test/campaign/rows.ts',
]);
const longest = 400;
const namelessWords = new Set([
  'util',
  'utils',
  'common',
  'manager',
  'managers',
  'service',
  'services',
  'misc',
]);

/** `src/xs2a/check.ts` as `xs2a/check`; undefined outside `src`. */
function inSource(path: string): string | undefined {
  return path.startsWith('src/') ? path.slice('src/'.length).replace(/(\.d)?\.ts$/, '') : undefined;
}

const roomOf = (place: string) => place.split('/')[0] ?? place;
const within = (place: string, allowed: string) => place === allowed || place.startsWith(`${allowed}/`);

function parse({ path, text }: Source): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => {
    visit(child, see);
  });
}

function importsTypesOnly(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

function exportsTypesOnly(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true;
  const clause = node.exportClause;
  if (clause === undefined || !ts.isNamedExports(clause)) return false;
  return clause.elements.length > 0 && clause.elements.every((element) => element.isTypeOnly);
}

/** Every module that a file names: static, re-exported, dynamic, `require`d, or in a type. */
export function references(source: Source): Reference[] {
  const found: Reference[] = [];
  const add = (from: ts.Node | undefined, typesOnly: boolean, lazy = false) => {
    const specifier = from !== undefined && ts.isStringLiteralLike(from) ? from.text : '(computed)';
    found.push({ specifier, typesOnly, lazy });
  };
  visit(parse(source), (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypesOnly(node));
    else if (ts.isExportDeclaration(node)) {
      if (node.moduleSpecifier !== undefined) add(node.moduleSpecifier, exportsTypesOnly(node));
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument, true);
    } else if (ts.isExternalModuleReference(node)) add(node.expression, false);
    else if (ts.isCallExpression(node)) {
      const { expression } = node;
      if (expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false, true);
      else if (ts.isIdentifier(expression) && expression.text === 'require') add(node.arguments[0], false);
    }
  });
  return found;
}

function relativeImport(place: string, { specifier, typesOnly, lazy }: Reference): string | undefined {
  const target = normalize(join(dirname(place), specifier)).replace(/\.ts$/, '');
  const from = roomOf(place);
  const to = roomOf(target);
  if (target === '../package.json')
    return outside.has(from) || rooms[from] === 'any' ? undefined : `imports package.json`;
  if (target.startsWith('..')) return `imports ${specifier} from outside src`;
  if (from === to) return undefined;
  if (to === 'sandbox') {
    if (from !== 'context') return 'imports sandbox: only context may';
    return typesOnly || lazy ? undefined : 'imports sandbox at start: only import() may';
  }
  const room = rooms[from];
  if (room === 'any' || room === undefined) return undefined;
  const values = [...room.values, ...(extraValues[place] ?? [])];
  if (values.some((allowed) => within(target, allowed))) return undefined;
  if (room.types?.some((allowed) => within(target, allowed)) === true) {
    return typesOnly ? undefined : `imports values of ${target}: only types may be`;
  }
  return `imports ${target}: ${from} may not`;
}

function builtinImport(place: string, specifier: string): string | undefined {
  if (!specifier.startsWith('node:')) return `imports ${specifier} without node:`;
  const from = roomOf(place);
  const name = specifier.slice('node:'.length);
  if (outside.has(from) || pureBuiltins.has(name)) return undefined;
  const room = rooms[from];
  if (room !== undefined && room !== 'any' && room.builtins?.includes(name) === true) return undefined;
  return `imports ${specifier}: only ${[...outside].join(', ')} may`;
}

function packageImport(place: string, { specifier, typesOnly }: Reference): string | undefined {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const [from = '', file = ''] = place.split('/');
  const room = rooms[from];
  if (room === 'any' || room === undefined) return undefined;
  const allowed = [...(room.packages?.['*'] ?? []), ...(room.packages?.[file] ?? [])];
  if (allowed.includes(name)) return undefined;
  if (room.packageTypes?.includes(name) === true && typesOnly) return undefined;
  return `imports the package ${name}`;
}

/** What a file imports that its room may not. */
export function importViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (place === undefined) return [];
  if (rooms[roomOf(place)] === undefined) return [`${source.path}: no such room`];
  return references(source).flatMap((reference) => {
    const { specifier } = reference;
    const builtin = specifier.startsWith('node:') || builtinModules.includes(specifier);
    const wrong = specifier.startsWith('.')
      ? relativeImport(place, reference)
      : builtin
        ? builtinImport(place, specifier)
        : packageImport(place, reference);
    return wrong === undefined ? [] : [`${source.path}: ${wrong}`];
  });
}

const bannedMembers: Record<string, string[] | 'all'> = {
  console: 'all',
  Date: ['now'],
  performance: ['now'],
  Math: ['random'],
  process: ['env', 'exit', 'abort', 'stdout', 'stderr', 'stdin'],
};
const bannedCalls = new Set(['fetch', 'randomUUID', 'setTimeout', 'setInterval', 'Date']);

/** The name a call or access ends in: `fetch`, `globalThis.fetch` and `crypto.randomUUID` by their last word. */
function globalName(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  return ['globalThis', 'crypto'].includes(node.expression.text) ? node.name.text : undefined;
}

/** Clock, chance, environment, network and output outside the rooms that own them. */
export function callViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (place === undefined || outside.has(roomOf(place))) return [];
  const found: string[] = [];
  const file = parse(source);
  const add = (node: ts.Node, what: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${source.path}:${line + 1}: ${what}`);
  };
  visit(file, (node) => {
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      const owner = globalName(node.expression) ?? '';
      const members = Object.hasOwn(bannedMembers, owner) ? bannedMembers[owner] : undefined;
      const member = ts.isPropertyAccessExpression(node)
        ? node.name.text
        : ts.isStringLiteralLike(node.argumentExpression)
          ? node.argumentExpression.text
          : '(computed)';
      if (members === 'all' || members?.includes(member) === true) add(node, `${owner}.${member}`);
    } else if (ts.isCallExpression(node)) {
      const name = globalName(node.expression);
      if (name !== undefined && bannedCalls.has(name)) add(node, `${name}()`);
    } else if (ts.isNewExpression(node)) {
      const now = globalName(node.expression) === 'Date' && (node.arguments ?? []).length === 0;
      if (now) add(node, 'new Date()');
    } else if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
      const owner = node.initializer === undefined ? '' : (globalName(node.initializer) ?? '');
      const members = Object.hasOwn(bannedMembers, owner) ? bannedMembers[owner] : undefined;
      for (const element of members === undefined ? [] : node.name.elements) {
        const member = (element.propertyName ?? element.name).getText();
        if (members === 'all' || members?.includes(member) === true) add(element, `${owner}.${member}`);
      }
    }
  });
  return found;
}

/** Templates that begin with these words are titles, not commands to run. */
const prose = /^obk (sca \S* is|\S* takes|\S* has|does|help)\b/;

/** A command line of obk with a value in it that `line` did not write: the value may hold anything. */
export function lineViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (place === undefined || ['program', 'sandbox', 'xs2a', 'command-line'].includes(roomOf(place)))
    return [];
  const found: string[] = [];
  const file = parse(source);
  visit(file, (node) => {
    const { parent } = node as { parent?: ts.Node };
    const text = ts.isTemplateExpression(node)
      ? node.head.text
      : parent !== undefined && ts.isBinaryExpression(parent) && ts.isStringLiteralLike(node)
        ? node.text
        : '';
    const tag = parent !== undefined && ts.isTaggedTemplateExpression(parent) ? parent.tag.getText() : '';
    if (!/^\s*obk [a-z$]?/.test(text) || tag === 'line') return;
    if (ts.isTemplateExpression(node) && prose.test(node.getText().slice(1))) return;
    if (
      parent !== undefined &&
      ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind !== ts.SyntaxKind.PlusToken
    )
      return;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${source.path}:${line + 1}: a command line that \`line\` does not write`);
  });
  return found;
}

/** Length and name of a file. */
export function shapeViolations({ path, text }: Source): string[] {
  const found: string[] = [];
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > longest && !dataFiles.has(path)) found.push(`${path}: ${lines} lines, ${longest} is the limit`);
  const place = inSource(path);
  if (place === undefined) return found;
  for (const segment of place.split('/')) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(segment)) found.push(`${path}: ${segment} is not kebab-case`);
    const vague = segment.split('-').find((word) => namelessWords.has(word));
    if (vague !== undefined) found.push(`${path}: "${vague}" says nothing`);
  }
  return found;
}

/** Everything that is wrong with a file. */
export function violations(source: Source): string[] {
  return [
    ...importViolations(source),
    ...callViolations(source),
    ...lineViolations(source),
    ...shapeViolations(source),
  ];
}

// Writes dist/sbom.cdx.json: what the package is made of, as CycloneDX, out of the lockfile alone. What npm adds of the
// moment and the machine (serial number, time, name of the folder) is left out, so that two builds give the same bytes.
// Which packages are of production the lockfile says: npm's own --omit=dev forgets those that development names as well.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const { name, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const modules = 'node_modules/';
const production = new Set(
  Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf(modules) + modules.length)}@${version}`),
);

const npm = process.env.npm_execpath;
const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const output = execFileSync(program, [...first, ...args], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  maxBuffer: 2 ** 26,
});
const { $schema, bomFormat, specVersion, version, metadata, components, dependencies } = JSON.parse(output);
const kept = ({ 'bom-ref': ref, ref: of = ref }) => production.has(of);
const main = metadata.component['bom-ref'];
const sbom = {
  ...{ $schema, bomFormat, specVersion, version },
  metadata: { lifecycles: metadata.lifecycles, component: { ...metadata.component, name } },
  components: components.filter(kept),
  dependencies: dependencies
    .filter((one) => one.ref === main || kept(one))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => production.has(one)) })),
};
writeFileSync(join(root, 'dist', 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);

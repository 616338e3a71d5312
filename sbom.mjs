// Writes dist/sbom.cdx.json: what the package is made of, as CycloneDX, out of the lockfile alone. What npm adds of the
// moment and the machine (serial number, time, name of the folder) is left out, so that two builds give the same bytes.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const npm = process.env.npm_execpath;
const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
const args = [
  'sbom',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--omit=dev',
  '--package-lock-only',
];
const sbom = JSON.parse(
  execFileSync(program, [...first, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
delete sbom.serialNumber;
delete sbom.metadata.timestamp;
delete sbom.metadata.tools;
sbom.metadata.component.name = name;
writeFileSync(join(root, 'dist', 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);

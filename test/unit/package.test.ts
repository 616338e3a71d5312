import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Manifest {
  bin: Record<string, string>;
  engines: Record<string, string>;
  files: string[];
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}
interface Sbom {
  bomFormat: string;
  metadata: { component: { name: string } };
  components: { name: string; version: string; hashes?: { content: string }[] }[];
}
interface Locked {
  version: string;
  resolved?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  dev?: boolean;
  /** Of development, and an optional peer of something in production: types, which nobody loads. */
  devOptional?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const manifest = read('package.json') as Manifest;
const lock = read('package-lock.json') as { packages: Record<string, Locked> };
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');
const production = locked.filter(([, { dev }]) => dev !== true);
const pinned = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };

/** Of the builds for each system (the keyring for Windows, for musl ...) a machine installs its own. */
const here = ([path, { os, cpu }]: [string, Locked]) =>
  (os?.includes('linux') ?? true) && (cpu?.includes('x64') ?? true) && !/musl|gnueabihf/.test(path);

describe('the package', () => {
  it.each(Object.entries(pinned))('pins %s to one version: %s', (name, version) => {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/);
    expect(lock.packages[`node_modules/${name}`]?.version).toBe(version);
  });

  it('locks every package with its integrity and no registry', () => {
    expect(locked.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it('runs nothing at install', () => {
    const scripted = production.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    // Its script builds it where no binary in it fits; each system that it allows has one, and no other installs it.
    expect(scripted.map(([path]) => path)).toEqual(['node_modules/@photostructure/sqlite']);
    expect(manifest.allowScripts).toEqual({ '@photostructure/sqlite': false });
    const own = /^(pre|post)?(install|prepare)$|^(pre|post)publish$/;
    expect(Object.keys(manifest.scripts).filter((name) => own.test(name))).toEqual([]);
  });

  /** A package and all that it asks for, by their places in the lockfile; none of them is nested. */
  const treeOf = (name: string, found = new Set<string>()): Set<string> => {
    const path = `node_modules/${name}`;
    const { dependencies, optionalDependencies } = lock.packages[path] ?? {};
    if (found.has(path) || lock.packages[path] === undefined) return found;
    found.add(path);
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) treeOf(one, found);
    return found;
  };

  it('stays small: 120 packages in production, and 14 of pg that only a shared state loads', () => {
    const shared = treeOf('pg');
    const count = production.filter(here).filter(([path]) => !shared.has(path)).length;
    expect(count).toBeGreaterThan(Object.keys(manifest.dependencies).length);
    expect(count).toBeLessThanOrEqual(120);
    expect(shared.size).toBeGreaterThan(1);
    expect(shared.size).toBeLessThanOrEqual(14);
    for (const path of shared) expect(lock.packages[path]).toMatchObject({ optional: true });
  });

  it('stays small: 65 MB in production, optional packages among them', () => {
    const bytesIn = (path: string): number =>
      readdirSync(path, { withFileTypes: true })
        .filter(({ name }) => name !== 'node_modules')
        .map((entry) => join(path, entry.name))
        .reduce((sum, one) => sum + (statSync(one).isDirectory() ? bytesIn(one) : statSync(one).size), 0);
    const installed = production.map(([path]) => path).filter((path) => existsSync(path));
    const bytes = installed.reduce((sum, path) => sum + bytesIn(path), 0);
    expect(bytes).toBeGreaterThan(10e6);
    expect(bytes).toBeLessThanOrEqual(65e6);
  });

  let files: readonly string[] | undefined;
  const packed = () => (files ??= pack());
  const pack = () => {
    const [pack] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ files: { path: string }[] }];
    return pack.files.map(({ path }) => path);
  };

  it('contains what its pages link to', () => {
    const paths = packed();
    const pages = paths.filter((path) => path.endsWith('.md'));
    expect(pages).toContain('docs/scripting.md');
    const broken = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target = '']) => join(dirname(page), target))
        .filter((target) => !paths.includes(target))
        .map((target) => [page, target]),
    );
    expect(broken).toEqual([]);
  });

  it('ships the allow-list and nothing else', () => {
    const paths = packed();
    expect(paths).toEqual(
      expect.arrayContaining([
        'bin/obk.js',
        'bin/package.json',
        'README.md',
        'CHANGELOG.md',
        'SECURITY.md',
        'LICENSE',
        'NOTICE',
      ]),
    );
    const foreign = paths.filter(
      (path) =>
        !/^(bin|dist|completions|docs|journeys)\/|^(package\.json|README\.md|CONTRIBUTING\.md|CHANGELOG\.md|SECURITY\.md|LICENSE|NOTICE)$/.test(
          path,
        ),
    );
    expect([...foreign, ...paths.filter((path) => path.endsWith('meta.json'))]).toEqual([]);
  });

  it('lists in its bill of materials what the lockfile lists, with the same hashes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'obk-sbom-'));
    try {
      for (const name of ['package.json', 'package-lock.json', 'sbom.mjs']) cpSync(name, join(folder, name));
      mkdirSync(join(folder, 'dist'));
      execFileSync(process.execPath, ['sbom.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
      const text = readFileSync(join(folder, 'dist', 'sbom.cdx.json'), 'utf8');
      const { bomFormat, metadata, components } = JSON.parse(text) as Sbom;
      expect({ bomFormat, name: metadata.component.name }).toEqual({ bomFormat: 'CycloneDX', name: 'obk' });
      const listed = components.map(({ name, version, hashes }) => [name, version, hashes?.[0]?.content]);
      const shipped = production.filter(([, { devOptional }]) => devOptional !== true);
      const wanted = shipped.map(([path, { version, integrity = '' }]) => [
        path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
        version,
        Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
      ]);
      expect(listed.sort()).toEqual(wanted.sort());
      // Nothing of the moment or of this machine.
      expect(text).not.toContain(folder);
      expect(text).not.toMatch(/serialNumber|timestamp|https?:\/\/(?!cyclonedx\.org)/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('states which Node it needs', () => {
    expect(manifest.engines).toEqual({ node: '>=20.19' });
    expect(readFileSync('.npmrc', 'utf8')).toContain('engine-strict=true\n');
  });
});

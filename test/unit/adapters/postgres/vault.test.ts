import { describe, expect, it } from 'vitest';
import { createVault } from '../../../../src/adapters/postgres/vault.ts';
import { Secret } from '../../../../src/base/secret.ts';

const old = new Secret('11'.repeat(32));
const fresh = new Secret(Buffer.alloc(32, 0x22).toString('base64'));
const place = { profile: 'acme', kind: 'intent', row: 'r1' };
const record = { name: 'Erika Müster', amount: '1.00' };

describe('the vault of a shared state', () => {
  const vault = createVault([old]);

  it('opens only what it sealed', () => {
    const sealed = vault.seal(place, record);
    expect(vault.open(place, sealed)).toEqual(record);
    for (const other of [{ profile: 'other' }, { kind: 'token' }, { row: 'r2' }])
      expect(vault.open({ ...place, ...other }, sealed)).toBeUndefined();
  });

  it('seals the same text in two ways, and reveals nothing of it', () => {
    const [one, two] = [vault.seal(place, record), vault.seal(place, record)];
    expect(one.equals(two)).toBe(false);
    expect(one.toString('latin1')).not.toMatch(/Erika|1\.00|acme/);
  });

  it('opens nothing with a changed bit or a missing end', () => {
    const sealed = vault.seal(place, record);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(vault.open(place, changed)).toBeUndefined();
      expect(vault.open(place, sealed.subarray(0, at))).toBeUndefined();
    }
  });

  it('names the key that sealed, and opens with an older one what that has sealed', () => {
    const both = createVault([fresh, old]);
    const before = vault.seal(place, record);
    expect(before.subarray(1, 9).toString('hex')).toBe(vault.keyId);
    expect(both.open(place, before)).toEqual(record);
    const after = both.seal(place, record);
    expect(after.subarray(1, 9).toString('hex')).toBe(both.keyId);
    expect(both.keyId).not.toBe(vault.keyId);
    expect(vault.open(place, after)).toBeUndefined();
    expect(vault.foreignKey(after)).toBe(both.keyId);
    expect(both.foreignKey(after)).toBeUndefined();
    expect(both.foreignKey(before)).toBeUndefined();
  });

  it('does not mistake a value that obk cannot have sealed for one of another key', () => {
    const sealed = createVault([fresh]).seal(place, record);
    for (const end of [0, 1, 9, 36]) expect(vault.foreignKey(sealed.subarray(0, end))).toBeUndefined();
    const [, ...rest] = sealed;
    expect(vault.foreignKey(Uint8Array.of(2, ...rest))).toBeUndefined();
  });

  it('finds equal texts by a hash for each key, which differs by purpose', () => {
    const both = createVault([fresh, old]);
    expect(both.tags('content', 'x')).toContainEqual(vault.tags('content', 'x')[0]);
    expect(both.tags('content', 'x')).toHaveLength(2);
    expect(vault.tags('content', 'x')).not.toEqual(vault.tags('content', 'y'));
    expect(vault.tags('content', 'x')).not.toEqual(vault.tags('other', 'x'));
  });

  it.each([
    '',
    'short',
    '11'.repeat(31),
    '11'.repeat(33),
    'g'.repeat(64),
    Buffer.alloc(31).toString('base64'),
  ])('refuses the key %j', (key) => {
    expect(() => createVault([new Secret(key)])).toThrow(
      expect.objectContaining({ code: 'SECRET_REFERENCE', exit: 3 }),
    );
  });
});

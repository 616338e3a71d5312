/** The program that asks the keyring, as text: Node runs it, or the single executable, which has no other script of its own. */
export const keyringScript = `const { Entry } = require(process.argv[1]);
  const entry = (id) => new Entry(process.argv[2], id, { linux: { store: 'secret-service' } });
  const { set = [], drop = [], get = [] } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  const answer = (reply) => process.stdout.write(JSON.stringify(reply));
  try {
    for (const [id, value] of set) {
      entry(id).setPassword(value);
      if (entry(id).getPassword() !== value) throw new Error('what was read back is not what was written');
    }
    for (const id of drop) entry(id).deletePassword();
    answer({ values: get.map((id) => entry(id).getPassword() ?? null) });
  } catch (error) {
    for (const [id] of set) try { entry(id).deletePassword(); } catch {}
    answer({ failed: set.reduce((text, [, value]) => text.replaceAll(value, '[secret]'), String(error.message)) });
  }`;

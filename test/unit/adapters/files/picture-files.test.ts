import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { pictureFiles } from '../../../../src/adapters/files/picture-files.ts';
import { freshHome } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';

const bytes = Buffer.from('89504e47', 'hex');

it('a picture can be read by the user only', async () => {
  const { stateDir } = freshHome();
  const path = await pictureFiles(stateDir, fakeClock()).savePicture(bytes, 'png');
  expect(readFileSync(path)).toEqual(bytes);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

it('a file that is not a picture is not removed', async () => {
  const { stateDir } = freshHome();
  const pictures = pictureFiles(stateDir, fakeClock());
  const path = await pictures.savePicture(bytes, 'png');
  const other = join(stateDir, 'precious.json');
  writeFileSync(other, '{}');
  for (const wrong of [
    other,
    join(dirname(path), '..', 'precious.json'),
    `${dirname(path)}/../precious.json`,
  ])
    await pictures.removePicture(wrong);
  expect(existsSync(other)).toBe(true);
  await pictures.removePicture(path);
  expect(existsSync(path)).toBe(false);
});

it('a picture that was left behind is removed after a day', async () => {
  const { stateDir } = freshHome();
  const clock = fakeClock();
  const pictures = pictureFiles(stateDir, clock);
  const [old, young] = [await pictures.savePicture(bytes, 'png'), await pictures.savePicture(bytes, 'png')];
  const hours = (count: number) => new Date(clock.now().getTime() - count * 3_600_000);
  utimesSync(old, hours(25), hours(25));
  utimesSync(young, hours(23), hours(23));
  await pictures.savePicture(bytes, 'png');
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});

import { describe, expect, it } from 'vitest';
import { useScene } from '../scene.ts';

const scene = useScene();

describe('the switches of the bank', () => {
  it('are listed with their meaning, and accept what is listed', async () => {
    const scenarios = await scene.bank.bank.scenarios();
    expect(scenarios.map(({ name }) => name)).toContain('lifeCycle');
    for (const { value, values } of scenarios) expect(values[0]?.value).toBe(value);
    await scene.bank.bank.setScenario('bulk', 'partial');
    expect((await scene.bank.bank.scenarios()).find(({ name }) => name === 'bulk')?.value).toBe('partial');
    await scene.bank.bank.setScenario('bulk', 'whole');
    await expect(scene.bank.bank.setScenario('bulk', 'never')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(scene.bank.bank.setScenario('nothing', 'x')).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('the clock of the bank', () => {
  it('is moved, shown and set back', async () => {
    const { now } = await scene.bank.bank.clock();
    expect(now).toBe(new Date(scene.clock.ms).toISOString());
    expect(await scene.bank.bank.clock('+1d')).toEqual({
      now: new Date(scene.clock.ms + 86_400_000).toISOString(),
      movedMs: 86_400_000,
    });
    expect((await scene.bank.bank.clock('+90m')).movedMs).toBe(91_800_000);
    expect((await scene.bank.bank.clock('reset')).movedMs).toBe(0);
  });

  it.each(['1d', '-1d', '+1y', '+', '', '+99999w'])('is not moved by %j', async (move) => {
    await expect(scene.bank.bank.clock(move)).rejects.toMatchObject({ code: 'USAGE' });
  });
});

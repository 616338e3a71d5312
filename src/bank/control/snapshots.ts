import { act } from './control-call.ts';
import type { ControlAnswer, ControlCall, ControlHandler } from './control-call.ts';
import { notThere } from './problem.ts';

/** The bank as it stood, under names. */
export const snapshots = {
  listSnapshots: async (call) => ({
    status: 200,
    body: { snapshots: await act(call, { do: 'snapshots' }) },
  }),
  async saveSnapshot(call) {
    const saved = await act(call, { do: 'save-snapshot', name: call.path['name'] ?? '' });
    return { status: 200, body: saved as object };
  },
  restoreSnapshot: (call) => ofKnown(call, 'restore-snapshot'),
  deleteSnapshot: (call) => ofKnown(call, 'delete-snapshot'),
} as const satisfies Readonly<Record<string, ControlHandler>>;

async function ofKnown(
  call: ControlCall,
  what: 'restore-snapshot' | 'delete-snapshot',
): Promise<ControlAnswer> {
  const name = call.path['name'] ?? '';
  const known = (await act(call, { do: 'snapshots' })) as { name: string }[];
  if (!known.some((one) => one.name === name)) throw notThere('snapshot', name, 'snapshots');
  return { status: 200, body: (await act(call, { do: what, name })) as object };
}

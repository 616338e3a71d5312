/** A machine of a fleet as a process of its own: `node <this file, bundled> JSON`. */
import { runMachine } from './fleet-machine.ts';
import type { MachineTask } from './fleet-machine.ts';

await runMachine(JSON.parse(process.argv[2] ?? '{}') as MachineTask);

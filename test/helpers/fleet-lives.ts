import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { bundled } from './bundled.ts';
import type { CuttingProxy } from './cutting-proxy.ts';
import { runMachine } from './fleet-machine.ts';
import type { MachineTask } from './fleet-machine.ts';

/** A machine, and what may befall it; `ended` has what it had to complain of. */
export interface Machine {
  kill(): void;
  stop(): void;
  goOn(): void;
  ended: Promise<string>;
}

/** As a process of its own, by signals. */
export function asProcess(task: MachineTask): Machine {
  const script = bundled(join(import.meta.dirname, 'fleet-process.ts'));
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const send = (signal: NodeJS.Signals) => () => void child.kill(signal);
  return {
    ...{ kill: send('SIGKILL'), stop: send('SIGSTOP'), goOn: send('SIGCONT') },
    ended: new Promise((resolve) => {
      child.once('close', () => {
        resolve(said);
      });
    }),
  };
}

let lives = 0;
/** Of a process of its own on a machine that this one is not. */
export const identityOf = (host: string) => ({
  ...{ pid: 1 + (lives += 1), startTime: '1', bootId: host, namespace: host, host },
});

/** As a part of this process, which costs a tenth: a machine of another boot, all of whose ways out can be shut. */
export function asPart(task: MachineTask, at: number, proxy: CuttingProxy): Machine {
  let isDead = false;
  let stopped: Promise<void> | undefined;
  let goOn: () => void = () => undefined;
  let end: (said: string) => void = () => undefined;
  const processInfo = identityOf(`machine-${String(at)}`);
  const gate = async () => {
    await stopped;
    // Nobody waits for it: what is left of it is garbage.
    if (isDead) await new Promise<never>(() => undefined);
  };
  const ended = new Promise<string>((resolve) => {
    end = resolve;
    runMachine(task, { gate, processInfo }).then(
      () => {
        resolve('');
      },
      (error: unknown) => {
        resolve(isDead ? '' : inspect(error));
      },
    );
  });
  return {
    kill: () => {
      isDead = true;
      proxy.close();
      proxy.cutAll();
      end('');
    },
    stop: () => {
      const release = proxy.hold();
      stopped = new Promise((resolve) => {
        goOn = () => {
          stopped = undefined;
          release();
          resolve();
        };
      });
    },
    goOn: () => {
      goOn();
    },
    ended,
  };
}

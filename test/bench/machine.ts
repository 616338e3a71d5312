import { resolve } from 'node:path';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';
import { benchEnv } from './measure.ts';
import type { Timed } from './measure.ts';

/** Where benches run: this Node, the built obk, and a standalone bank in a temporary home. */
export interface Machine {
  env: NodeJS.ProcessEnv;
  bank: RunningBank;
  obk(args: readonly string[], exit?: number): Timed;
  node(args: readonly string[]): Timed;
  close(): Promise<void>;
}

/** Starts the bank and gives the machine around it. */
export async function benchMachine(): Promise<Machine> {
  const bank = await startStandaloneBank();
  const bin = resolve(import.meta.dirname, '../../bin/obk.js');
  const env = benchEnv(bank.env);
  for (const name of Object.keys(env)) if (name.startsWith('OBK_')) Reflect.deleteProperty(env, name);
  return {
    env,
    bank,
    obk: (args, exit = 0) => ({ argv: [process.execPath, bin, ...args], env, exit }),
    node: (args) => ({ argv: [process.execPath, ...args], env }),
    close: () => bank.close(),
  };
}

/** Makes a profile of the bank as of any other one and gives its name: the built-in profile would look for the bank that obk carries. */
export function atBank(bank: RunningBank, name: string): string {
  const { baseUrl, certificatePath, keyPath } = bank;
  const address = ['--base-url', baseUrl, '--variant', 'v1', '--environment', 'sandbox'];
  bank.obk('profile', 'create', name, ...address, '--certificate', certificatePath, '--key', keyPath);
  return name;
}

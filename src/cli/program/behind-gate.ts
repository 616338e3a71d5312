import type { Gate } from '../../client/ports/gate.ts';
import type { Notices, Person } from '../../client/ports/person.ts';
import type { CommandPorts } from '../context.ts';

/**
 * The ports through which something leaves a run, once what it has learned before is written. A write passes with its first byte: what
 * came before it and what it claims are one commit.
 */
export function behindGate(gate: Gate, ports: CommandPorts): CommandPorts {
  const { http, person, browser, clock, notices } = ports;
  return {
    ...ports,
    http: passing(gate, http, { send: (_, { onSending }) => onSending === undefined }),
    person: passing(gate, person, { paste: always, elsewhere: always }),
    browser: passing(gate, browser, { open: always }),
    clock: passing(gate, clock, { sleep: always }),
    notices: laterNotices(gate, notices),
  };
}

/** The person at the terminal. A flag or a reference that answers a question does not reach it. */
export function askedBehind(gate: Gate, human: Person): Person {
  return passing(gate, human, { ask: always, askSecret: always, choose: always, confirm: always });
}

const always = () => true;

type When<T> = {
  [Name in keyof T]: T[Name] extends ((...args: infer Args) => Promise<unknown>) | undefined
    ? (...args: Args) => boolean
    : never;
};

/** A port of which some methods pass the gate first, where their arguments say so. */
function passing<T extends object>(gate: Gate, port: T, when: Partial<When<T>>): T {
  return new Proxy(port, {
    get: (target, name) => {
      const own = Reflect.get(target, name) as unknown;
      if (typeof own !== 'function') return own;
      const mustPass = (when as Record<PropertyKey, ((...args: unknown[]) => boolean) | undefined>)[name];
      if (mustPass === undefined) return own.bind(target) as unknown;
      return async (...args: unknown[]) => {
        if (gate.isDue && mustPass(...args)) await gate.pass();
        return Reflect.apply(own, target, args) as unknown;
      };
    },
  });
}

/** Lines that wait while something is to be written. Progress shows only that something lasts. */
function laterNotices(gate: Gate, notices: Notices): Notices {
  const later =
    <Name extends Exclude<keyof Notices, 'progress'>>(name: Name) =>
    (...told: Parameters<Notices[Name]>): void => {
      gate.after(() => {
        (notices[name] as (...all: Parameters<Notices[Name]>) => void)(...told);
      });
    };
  return {
    ...{ say: later('say'), place: later('place'), created: later('created'), warn: later('warn') },
    ...{ trace: later('trace'), call: later('call') },
    progress: (text) => notices.progress(text),
  };
}

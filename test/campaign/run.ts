// `npm run campaign`: the promises with their full figures; `npm test` runs a part of each. `npm run campaign -- pace` runs one
// of them, `npm run campaign -- 42` takes another seed.
import { kill } from './kill.ts';
import { pace } from './pace.ts';

const args = process.argv.slice(2);
const seed = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20_261_121);
const say = (line: string) => void process.stdout.write(line);
const parts = { kill: () => kill(say, seed), pace: () => pace(say) };
const names = Object.keys(parts) as (keyof typeof parts)[];
const chosen = names.filter((name) => args.includes(name));
for (const name of chosen.length > 0 ? chosen : names) if (!(await parts[name]())) process.exitCode = 1;

import re
p='CONTRIBUTING.md'
s=open(p).read()
a=s.index("Each folder of `src` is one subject"); b=s.index("No file leads back to itself")
s=s[:a]+"""`src` has ten houses and `main.ts`. A house may import only what stands in its row, types included; each has a README with its
rooms, its door and its finer rules. The tables are made of `test/helpers/architecture/rooms.ts`: `npm run graph` prints the edges
between the houses and those that break a rule, `npm run graph -- --write` writes the tables, and `test/architecture.test.ts` fails
on both.

<!-- made by npm run graph -->
<!-- end -->

Facts know nobody. Flows know ports and never adapters. A command returns an `Outcome` and prints nothing. Client and bank never
import each other: the bank verifies by the referee, and shares the facts with the client, never the conversation or the signature.

"""+s[b:]
s=s.replace("live in `adapters`, `sandbox` and `main` only","live in `adapters`, `bank`, `cli/completion` and `main` only")
s=s.replace("Outside `xs2a` nothing asks","Outside `standard/xs2a` nothing asks")
s=s.replace("Exports of `ports`, `xs2a`, `signing`, `formats` and `errors` have","Exports of `base`, `standard`, `signing` and `client/ports` have")
open(p,'w').write(s)
p='docs/architecture.md'
s=open(p).read()
s=s.replace("`CONTRIBUTING.md` draws the rooms of `src` and who may import whom. This page walks through them twice, says where to add what,\nand how to write a test.","`CONTRIBUTING.md` draws the ten houses of `src` and who may import whom; each house has a README with its rooms. This page walks\nthrough them twice, says where to add what, and how to write a test.")
s=s.replace("'../../../../src/flows/accounts/funds.ts'","'../../../../src/client/accounts/funds.ts'")
open(p,'w').write(s)

p='test/helpers/architecture/reveals.ts'
s=open(p).read()
for a,b in [("'flows/","'client/"),("'sandbox/","'bank/"),("'journeys/","'tester/journeys/"),("'commands/","'cli/commands/")]: s=s.replace(a,b)
open(p,'w').write(s)
p='package.json'
s=open(p).read()
s=s.replace('    "lint":','    "graph": "tsx test/helpers/architecture/graph.ts",\n    "lint":')
open(p,'w').write(s)

# Tests that read folders of src, or lie deeper than their samples now.
p='test/unit/cli/printed-commands.test.ts'
s=open(p).read()
a=s.index("const all = [\n"); b=s.index("  .flatMap(printedIn)",a)
s=s[:a]+"""const all = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
"""+s[b:]
s=s.replace("|needs) /","|needs|commands lists) /").replace(r"^src\/(sandbox|doors|commands\/sandbox)\/", r"^src\/(bank|settings\/doors|cli\/commands\/sandbox)\/")
open(p,'w').write(s)
p='test/unit/standard/formats/payments/pain001.test.ts'
s=open(p).read()
s=s.replace("import.meta.dirname, 'fixtures/","import.meta.dirname, '../fixtures/")
open(p,'w').write(s)

import { defined } from '../../base/defined.ts';
import type { BankDescriptor, BankHeaderRule } from '../../settings/records/bank-descriptor.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { signingOptions } from '../../signing/options.ts';
import { correctedHeaders, declaredHeaders } from '../../standard/xs2a/headers.ts';
import { canonicalLink } from '../../standard/xs2a/links.ts';
import { operation, operations } from '../../standard/xs2a/operations.ts';
import type { Operation, OperationId } from '../../standard/xs2a/operations.ts';
import { absence, frameworkFacts, presets } from '../../standard/xs2a/variants.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import { bankTemplates } from '../../settings/banks/templates.ts';
import { lintContradictions } from './bank-contradictions.ts';
import { openAddresses } from './plain-http.ts';
import { referencesIn } from '../../settings/profile/references.ts';
import { lowersLevel } from '../../settings/profile/ciphers.ts';
import { error, warning } from '../../settings/profile/finding.ts';
import type { SettingFinding } from '../../settings/profile/finding.ts';
import { withoutNotes } from '../../settings/profile/notes.ts';
import { bankRow, checkSettings } from '../../settings/profile/table.ts';
import { lintWaivers } from './waived-rules.ts';

/** The subject of a lint: a saved profile, a printed `profile export`, or a file with the settings of a bank alone. */
export type LintSubject = 'saved' | 'profile' | 'bank';

/**
 * Everything that is wrong (error) or looks unwanted (warning) in the settings of a bank: first their shape, and where that is
 * right, what they say together. An empty object is a standard bank.
 */
export function lintBank(settings: unknown, of: LintSubject): readonly SettingFinding[] {
  const references = lintReferences(settings, of);
  const told = references.map(({ setting }) => setting);
  const rest = lintRest(settings, of === 'bank' ? 'bank' : 'profile');
  return [...references, ...rest.filter(({ setting }) => !told.includes(setting))];
}

/** A file may not read or run anything of this machine unless its operator says so. */
function lintReferences(settings: unknown, of: LintSubject): SettingFinding[] {
  if (of === 'saved') return [];
  return referencesIn(settings).map(({ setting, reference }) =>
    of === 'bank'
      ? error(
          setting,
          'The file of a bank takes no reference to a secret or program: say it with --header-rule.',
        )
      : warning(
          setting,
          `It is a reference (${kindOf(reference)}), and profile import asks before it takes it.`,
        ),
  );
}

/** Returns the kind of a reference and no more: a text in its place may be the secret itself. */
const kindOf = (reference: string) => /^(prompt|stdin|env|file|cmd|keyring)\b/.exec(reference)?.[0] ?? 'none';

function lintRest(settings: unknown, of: 'profile' | 'bank'): readonly SettingFinding[] {
  const shape = checkSettings(settings, of);
  if (shape.length > 0) return shape;
  const bank = withoutNotes(bankRow, settings) as Partial<Profile>;
  const variant: Variant = { ...presets.v1, ...pick(bank) };
  return [
    ...(bank.headers?.rules ?? []).flatMap((rule, index) =>
      lintRule(bank, variant, rule, `headers.rules[${String(index)}]`),
    ),
    ...lintOperations(variant, 'headers.accept', bank.headers?.accept),
    ...lintOperations(variant, 'limits.perOperation', bank.limits?.perOperation),
    ...lintAddresses(bank),
    ...(lowersLevel(bank.tls?.ciphers) ? [warning('tls.ciphers', lowLevel)] : []),
    ...lintAliases(bank),
    ...(of === 'bank' && (bank.requestIdSemantics ?? 'unknown') !== 'unknown'
      ? [
          warning(
            'requestIdSemantics',
            'It reads as unknown in a file: each operator says it (obk config set).',
          ),
        ]
      : []),
    ...lintContradictions(bank),
    ...lintForms(bank, variant),
    ...lintTemplate(bank, variant),
    ...lintWaivers(bank),
  ];
}

function pick({ framework, prefix, surface }: Partial<Variant>): Partial<Variant> {
  return {
    ...defined({ framework, prefix, surface }),
  };
}

function lintRule(
  bank: Partial<Profile>,
  variant: Variant,
  rule: BankHeaderRule,
  at: string,
): SettingFinding[] {
  const affected = operations.filter(({ id }) => rule.operations?.includes(id) ?? true);
  const others = (bank.headers?.rules ?? []).filter(
    (other) => other !== rule && other.name.toLowerCase() === rule.name.toLowerCase(),
  );
  return [
    ...absent(variant, `${at}.operations`, rule.operations ?? []),
    ...againstOthers(rule, others, affected, at),
    ...againstSigning(bank, rule, at),
    ...againstStandard(variant, rule, affected, at),
  ];
}

/** A header that one rule wants and another does not, in one operation. */
function againstOthers(
  rule: BankHeaderRule,
  others: readonly BankHeaderRule[],
  affected: readonly Operation[],
  at: string,
): SettingFinding[] {
  if (rule.action !== 'forbid') return [];
  const against = others.find(
    ({ action, operations: on }) =>
      (action === 'require' || action === 'default') && affected.some(({ id }) => on?.includes(id) ?? true),
  );
  if (against === undefined) return [];
  return [error(at, `It forbids ${rule.name}, and another rule has it as ${against.action}.`)];
}

/** Finds rules that forbid a header which is always signed. */
function againstSigning({ signing }: Partial<Profile>, rule: BankHeaderRule, at: string): SettingFinding[] {
  const { mode, headers, date } = signingOptions(signing);
  const name = rule.name.toLowerCase();
  const isSigned = mode !== 'none' && (headers.includes(name) || (name === 'date' && date.sign));
  if (isSigned && rule.action === 'forbid')
    return [error(at, `It forbids ${rule.name}, which signing.headers has in every signature.`)];
  if (isSigned && rule.valueFrom !== undefined)
    return [error(at, `${rule.name} is signed, and a secret value is not.`)];
  return [];
}

function againstStandard(
  variant: Variant,
  rule: BankHeaderRule,
  affected: readonly Operation[],
  at: string,
): SettingFinding[] {
  const name = rule.name.toLowerCase();
  const offered = affected.filter(({ id }) => absence(variant, id) === undefined);
  const declares = (op: Operation) =>
    declaredHeaders(variant, op).find((header) => header.name.toLowerCase() === name);
  if (rule.action === 'forbid') {
    const demanded = offered.filter((op) => declares(op)?.need === 'm').map(({ id }) => id);
    return demanded.length === 0
      ? []
      : [warning(at, `The standard demands ${rule.name} with ${demanded.join(', ')}.`)];
  }
  const isKnown = operations.some((op) => declares(op) !== undefined);
  const undeclared = offered.filter((op) => declares(op) === undefined).map(({ id }) => id);
  if (rule.operations === undefined || !isKnown || undeclared.length === 0) return [];
  return rule.action === 'dropIfBlank'
    ? []
    : [warning(at, `The standard has no ${rule.name} with ${undeclared.join(', ')}.`)];
}

function lintOperations(
  variant: Variant,
  at: string,
  byOperation: Readonly<Partial<Record<OperationId, string>>> = {},
): SettingFinding[] {
  return Object.keys(byOperation).flatMap((id) => absent(variant, `${at}.${id}`, [id as OperationId]));
}

function absent(variant: Variant, at: string, ids: readonly OperationId[]): SettingFinding[] {
  return ids.flatMap((id) => {
    const why = absence(variant, operation(id).id);
    return why === undefined ? [] : [warning(at, `${id} is not used: ${why}.`)];
  });
}

const lowLevel = 'Security level 1 takes keys of 1024 bits and signatures by SHA-1.';

function lintAddresses(bank: Partial<Profile>): SettingFinding[] {
  const { urls, baseUrl, environment } = bank;
  const open = openAddresses(bank).map(({ setting }) =>
    error(
      setting,
      environment === 'production'
        ? 'A bank of production is not called over plain http.'
        : 'Plain http is used for addresses of this machine only; every call is refused.',
    ),
  );
  const services = Object.entries(urls?.perService ?? {}).flatMap(([service, url]) => {
    const at = `urls.perService.${service}`;
    const same = baseUrl !== undefined && url.replace(/\/+$/, '') === baseUrl.replace(/\/+$/, '');
    return same ? [warning(at, 'It equals baseUrl, which applies anyway.')] : [];
  });
  return [...open, ...services];
}

function lintAliases({ links }: BankDescriptor): SettingFinding[] {
  return Object.entries(links?.aliases ?? {}).flatMap(([name, meant]) => {
    const usual = canonicalLink(name);
    const at = `links.aliases.${name}`;
    if (usual === meant) return [warning(at, `${name} is read as ${meant} without it.`)];
    return usual === undefined ? [] : [warning(at, `The standard means ${usual} by ${name}.`)];
  });
}

/** Settings that say nothing beside the others. */
function lintForms({ consent, payments }: BankDescriptor, variant: Variant): SettingFinding[] {
  const { framework } = variant;
  const unused = (setting: string, value: unknown, isUsed: boolean) =>
    value === undefined || isUsed
      ? []
      : [warning(setting, `It is not used: ${framework} has one form for it.`)];
  const structured = 'remittanceInformationStructured';
  const isTaken = payments?.members?.includes(structured) === true;
  return [
    ...unused(
      'consent.withBalances',
      consent?.withBalances,
      frameworkFacts[framework].balanceAccessForms.length > 1,
    ),
    ...unused(
      'payments.redirectOnCancel',
      payments?.redirectOnCancel,
      correctedHeaders(variant, operation('cancelPayment')).length > 0,
    ),
    ...(payments?.remittanceStructured === undefined || isTaken
      ? []
      : [
          warning(
            'payments.remittanceStructured',
            `It is not used: no product has ${structured} (payments.members).`,
          ),
        ]),
  ];
}

/** Finds settings that the bank's template has for another framework than the one spoken now. */
function lintTemplate(bank: BankDescriptor, { framework }: Variant): SettingFinding[] {
  const template = bankTemplates.find(({ name }) => name === bank.meta?.name);
  if (template === undefined) return [];
  const valueIn = (
    settings: BankDescriptor | undefined,
    [group, key]: readonly [string, string],
  ): unknown => {
    const found: unknown = Reflect.get(settings ?? {}, group);
    return typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  };
  const others = Object.entries(template.byFramework ?? {}).filter(([other]) => other !== framework);
  return formKeys.flatMap((path) => {
    const [here, now] = [valueIn(bank, path), valueIn(template.byFramework?.[framework], path)].map(text);
    const of = others.find(([, settings]) => here !== now && text(valueIn(settings, path)) === here);
    return of === undefined || here === undefined
      ? []
      : [
          warning(
            path.join('.'),
            `The template ${template.name} has it for ${of[0]}, and this speaks ${framework}: give --bank ${template.name} again.`,
          ),
        ];
  });
}

const text = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);
const formKeys = [
  ['consent', 'withBalances'],
  ['payments', 'members'],
  ['payments', 'remittanceStructured'],
  ['payments', 'redirectOnCancel'],
  ['payments', 'plainText'],
  ['reports', 'paging'],
] as const;

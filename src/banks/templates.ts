import type { BankSettings } from '../records/profile.ts';
import type { Framework } from '../xs2a/variants.ts';
import adorsys from './adorsys-xs2a.json' with { type: 'json' };

/** What is known of banks on one platform: a bank's file, and what differs in it by the framework that is spoken. */
export interface BankTemplate {
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  readonly settings: BankSettings;
  readonly byFramework?: Readonly<Partial<Record<Framework, BankSettings>>>;
}

/** Every template by its name, which is that of its file. */
const files: Readonly<Record<string, unknown>> = { 'adorsys-xs2a': adorsys };

/** The templates that obk brings. A test holds each to the schema. */
export const bankTemplates: readonly BankTemplate[] = Object.entries(files).map(([name, file]) => ({
  name,
  ...(file as Omit<BankTemplate, 'name'>),
}));

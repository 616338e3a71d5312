import type { BankSettings } from '../records/profile.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import adorsysModelbank from './adorsys-modelbank.json' with { type: 'json' };
import adorsysXs2a from './adorsys-xs2a.json' with { type: 'json' };
import bankVerlag from './bank-verlag.json' with { type: 'json' };
import commerzbankGroup from './commerzbank-group.json' with { type: 'json' };
import consors from './consors.json' with { type: 'json' };
import crealogix from './crealogix.json' with { type: 'json' };
import dbGroup from './db-group.json' with { type: 'json' };
import fiducia from './fiducia.json' with { type: 'json' };
import finanzInformatik from './finanz-informatik.json' with { type: 'json' };
import ing from './ing.json' with { type: 'json' };
import intesaGroup from './intesa-group.json' with { type: 'json' };
import n26 from './n26.json' with { type: 'json' };
import openBankProject from './open-bank-project.json' with { type: 'json' };
import santanderGroup from './santander-group.json' with { type: 'json' };
import swedbank from './swedbank.json' with { type: 'json' };
import unicreditGroup from './unicredit-group.json' with { type: 'json' };
import wso2OpenBanking from './wso2-open-banking.json' with { type: 'json' };

/** What is known of banks on one platform: a bank's file, and what differs in it by the framework that is spoken. */
export interface BankTemplate {
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  readonly settings: BankSettings;
  readonly byFramework?: Readonly<Partial<Record<Framework, BankSettings>>>;
}

/** Every template by its name, which is that of its file. */
const files: Readonly<Record<string, unknown>> = {
  'adorsys-modelbank': adorsysModelbank,
  'adorsys-xs2a': adorsysXs2a,
  'bank-verlag': bankVerlag,
  'commerzbank-group': commerzbankGroup,
  consors: consors,
  crealogix: crealogix,
  'db-group': dbGroup,
  fiducia: fiducia,
  'finanz-informatik': finanzInformatik,
  ing: ing,
  'intesa-group': intesaGroup,
  n26: n26,
  'open-bank-project': openBankProject,
  'santander-group': santanderGroup,
  swedbank: swedbank,
  'unicredit-group': unicreditGroup,
  'wso2-open-banking': wso2OpenBanking,
};

/** The templates that obk brings. A test holds each to the schema. */
export const bankTemplates: readonly BankTemplate[] = Object.entries(files).map(([name, file]) => ({
  name,
  ...(file as Omit<BankTemplate, 'name'>),
}));

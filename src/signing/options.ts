import { defined } from '../base/defined.ts';
import { ObkError } from '../base/errors.ts';
import { nameSpellings } from './distinguished-name.ts';
import { serialSpellings } from './key-id.ts';
import { signingPresetNames, signingPresets } from './presets.ts';
import type { SigningPresetName } from './presets.ts';
import {
  modes,
  orders,
  algorithms,
  carriers,
  emptyBodies,
  certificateHeaders,
  encodings,
  jwsAlgorithms,
  jwsCertificates,
  targetEncodings,
} from './signing-options.ts';
import type { JwsOptions, SigningOptions } from './signing-options.ts';

type Part<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? Part<T[K]> : T[K];
};

/** The signing settings of a profile: a preset (`guidelines` by default), and the differences from it. */
export type SigningSettings = Part<SigningOptions> & { readonly preset?: SigningPresetName };

function invalid(path: string, detail: string): ObkError {
  return new ObkError({
    code: 'PROFILE_INVALID',
    title: `The setting ${path} of the profile is not valid.`,
    detail,
  });
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown, path: string, known: object, extra: readonly string[] = []): Fields {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(path, 'It must be an object.');
  const names = [...Object.keys(known), ...extra];
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalid(`${path}.${unknown}`, `There are: ${names.join(', ')}.`);
  return { ...value };
}

function choice<T extends string>(value: unknown, path: string, allowed: readonly T[], standard: T): T {
  if (value === undefined) return standard;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalid(path, `It must be one of: ${allowed.join(', ')}.`);
  return found;
}

function flag(value: unknown, path: string, standard: boolean): boolean {
  if (value === undefined) return standard;
  if (typeof value !== 'boolean') throw invalid(path, 'It must be true or false.');
  return value;
}

function template(value: unknown, path: string, standard: string): string {
  if (value === undefined) return standard;
  if (typeof value !== 'string' || !/^[\u0020-\u007e]+$/.test(value))
    throw invalid(path, 'It must be text in plain characters.');
  if (/[{}]/.test(value.replace(/\{(serial|issuer)\}/g, '')))
    throw invalid(path, 'It may hold {serial} and {issuer}, and no other braces.');
  return value;
}

function headerList(value: unknown, path: string, standard: readonly string[]): readonly string[] {
  if (value === undefined) return standard;
  if (!Array.isArray(value) || value.length === 0) throw invalid(path, 'It must be a list of header names.');
  const names = value.map((name: unknown) => {
    if (typeof name !== 'string' || !/^(\(request-target\)|[a-z0-9-]+\??)$/i.test(name))
      throw invalid(path, 'Each entry must be a header name, with ? at its end for "if present".');
    return name.toLowerCase();
  });
  const plain = names.map((name) => name.replace('?', ''));
  const twice = plain.find((name, index) => plain.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(path, `It names ${twice} twice.`);
  return names;
}

/**
 * Returns complete signing options from what a profile says (a part of SigningOptions as parsed JSON, or
 * undefined); what is missing is as in its preset, or in the guidelines; throws PROFILE_INVALID naming the setting under `path`.
 */
export function signingOptions(value?: unknown, path = 'signing'): SigningOptions {
  const { guidelines } = signingPresets;
  const given = fields(value, path, guidelines.options, ['algorithmLabel', 'preset', 'requiredFor']);
  const preset = choice(given['preset'], `${path}.preset`, signingPresetNames, 'guidelines');
  const standard: SigningOptions = signingPresets[preset].options;
  const date = fields(given['date'], `${path}.date`, standard.date);
  const digest = fields(given['digest'], `${path}.digest`, standard.digest);
  const keyId = fields(given['keyId'], `${path}.keyId`, standard.keyId);
  const { algorithmLabel: label = standard.algorithmLabel } = given;
  if (label !== undefined && (typeof label !== 'string' || !/^[A-Za-z0-9/_-]+$/.test(label)))
    throw invalid(`${path}.algorithmLabel`, 'It must be a name such as rsa-sha256.');
  return {
    mode: choice(given['mode'], `${path}.mode`, modes, standard.mode),
    headers: headerList(given['headers'], `${path}.headers`, standard.headers),
    order: choice(given['order'], `${path}.order`, orders, standard.order),
    date: { sign: flag(date['sign'], `${path}.date.sign`, standard.date.sign) },
    requestTarget: flag(given['requestTarget'], `${path}.requestTarget`, standard.requestTarget),
    digest: {
      algorithm: choice(
        digest['algorithm'],
        `${path}.digest.algorithm`,
        algorithms,
        standard.digest.algorithm,
      ),
      emptyBody: choice(
        digest['emptyBody'],
        `${path}.digest.emptyBody`,
        emptyBodies,
        standard.digest.emptyBody,
      ),
    },
    hash: choice(given['hash'], `${path}.hash`, algorithms, standard.hash),
    ...defined({ algorithmLabel: label }),
    keyId: {
      template: template(keyId['template'], `${path}.keyId.template`, standard.keyId.template),
      serial: choice(keyId['serial'], `${path}.keyId.serial`, serialSpellings, standard.keyId.serial),
      issuer: choice(keyId['issuer'], `${path}.keyId.issuer`, nameSpellings, standard.keyId.issuer),
    },
    certificateHeader: choice(
      given['certificateHeader'],
      `${path}.certificateHeader`,
      certificateHeaders,
      standard.certificateHeader,
    ),
    signatureEncoding: choice(
      given['signatureEncoding'],
      `${path}.signatureEncoding`,
      encodings,
      standard.signatureEncoding,
    ),
    carrier: choice(given['carrier'], `${path}.carrier`, carriers, standard.carrier),
    targetEncoding: choice(
      given['targetEncoding'],
      `${path}.targetEncoding`,
      targetEncodings,
      standard.targetEncoding,
    ),
    ...(given['requiredFor'] === undefined
      ? {}
      : { requiredFor: nameList(given['requiredFor'], `${path}.requiredFor`) }),
    jws: jwsOptions(given['jws'], `${path}.jws`, standard.jws),
  };
}

function jwsOptions(value: unknown, path: string, standard: JwsOptions): JwsOptions {
  const given = fields(value, path, standard);
  const { maxAgeS = standard.maxAgeS } = given;
  if (typeof maxAgeS !== 'number' || !Number.isInteger(maxAgeS) || maxAgeS < 1 || maxAgeS > 86_400)
    throw invalid(`${path}.maxAgeS`, 'It must be a number of seconds, 1 to 86400.');
  return {
    alg: choice(given['alg'], `${path}.alg`, jwsAlgorithms, standard.alg),
    pars: headerList(given['pars'], `${path}.pars`, standard.pars),
    certificate: choice(given['certificate'], `${path}.certificate`, jwsCertificates, standard.certificate),
    trailingNewline: flag(given['trailingNewline'], `${path}.trailingNewline`, standard.trailingNewline),
    maxAgeS,
  };
}

/** Names of operations; whether there are such is not known here. */
function nameList(value: unknown, path: string): readonly string[] {
  const isList =
    Array.isArray(value) && value.every((one) => typeof one === 'string' && /^[A-Za-z]+$/.test(one));
  if (!isList) throw invalid(path, 'It must be a list of operations.');
  return value as readonly string[];
}

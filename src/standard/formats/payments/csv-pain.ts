/** The cells of a row of payments that pain.001 alone has, and the checks of texts. */
import { isCountryCode, isUetr } from '../../../base/values.ts';
import { checkCountry } from '../../xs2a/countries.ts';
import type { TransferInPain } from './credit-transfer.ts';
import type { ColumnName } from './csv-columns.ts';
import type { ValueCheck } from './pain001-values.ts';

/** Returns the text of a cell, '' where there is none. */
export type Cell = (column: ColumnName) => string;
/** Returns the value of a cell by its check, and tells what is wrong with it. */
export type Checker = (column: ColumnName, check: ValueCheck) => string;

/** Returns what a row says beyond the JSON payment; undefined where that is nothing. */
export function inPainOf(cell: Cell, checked: Checker, lei: ValueCheck): TransferInPain | undefined {
  const inPain: TransferInPain = {};
  if (cell('uetr') !== '') inPain.uetr = checked('uetr', uetrOf);
  if (cell('creditor_lei') !== '') inPain.creditorLei = checked('creditor_lei', lei);
  if (cell('instruction_priority') !== '') {
    const told = checked('instruction_priority', priorityOf);
    inPain.instructionPriority = told === 'HIGH' ? 'HIGH' : 'NORM';
  }
  const given = reportingColumns.filter((column) => cell(column) !== '');
  if (given.length === 0) return Object.keys(inPain).length === 0 ? undefined : inPain;
  inPain.regulatoryReporting = {
    ...(given.includes('reporting_country') && { country: checked('reporting_country', reportedCountry) }),
    ...(given.includes('reporting_code') && { code: checked('reporting_code', textUpTo(10)) }),
    ...(given.includes('reporting_information') && {
      information: checked('reporting_information', textUpTo(35)),
    }),
  };
  if (given.length === 1 && given[0] === 'reporting_country') checked('reporting_code', missingCode);
  return inPain;
}

const missingCode: ValueCheck = () => ({ ok: false, why: 'it needs a code or an information' });

function reportedCountry(text: string): ReturnType<ValueCheck> {
  const value = text.toUpperCase();
  return isCountryCode(value) ? checkCountry(value) : { ok: false, why: 'it is two letters, such as FR' };
}

const reportingColumns = ['reporting_country', 'reporting_code', 'reporting_information'] as const;

function uetrOf(text: string): ReturnType<ValueCheck> {
  const value = text.toLowerCase();
  return isUetr(value)
    ? { ok: true, value }
    : { ok: false, why: 'a UETR is a UUID of version 4, such as eb6305c9-1f7f-49de-aed0-16487c27b42d' };
}

function priorityOf(text: string): ReturnType<ValueCheck> {
  const value = text.toUpperCase();
  return value === 'HIGH' || value === 'NORM'
    ? { ok: true, value }
    : { ok: false, why: 'it is HIGH or NORM' };
}

/** Checks the country of an address or a report. */
export function countryOf(text: string): ReturnType<ValueCheck> {
  const value = text.toUpperCase();
  return isCountryCode(value)
    ? checkCountry(value)
    : { ok: false, why: 'an address needs a country of two letters, such as DE' };
}

/** Returns the check of a text of at most `max` characters. */
export function textUpTo(max: number): ValueCheck {
  return (text) => {
    const length = [...text].length;
    if (text.trim() === '') return { ok: false, why: 'it is empty' };
    if (/\p{Cc}/u.test(text)) return { ok: false, why: 'it has control characters or line breaks' };
    if (length > max)
      return { ok: false, why: `it has ${String(length)} characters, at most ${String(max)} are allowed` };
    return { ok: true, value: text };
  };
}

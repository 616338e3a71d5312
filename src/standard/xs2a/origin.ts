/** Where a fact comes from and since when: which file or guidelines say it, or whether it is the service's or a dialect's. */

/**
 * The versions of the framework that have brought something, oldest first: 1.3.2 is the errata of 14 Feb 2019, 1.3.3 those
 * of 29 Mar 2019, 1.3.4 of 5 Jul 2019, 1.3.5 of 6 Dec 2019; later ones have files of their own.
 */
// prettier-ignore
export const versions = ['1.3.2', '1.3.3', '1.3.4', '1.3.5', '1.3.6', '1.3.8', '1.3.9', '1.3.11', '1.3.12'] as const;

/** One of `versions`. */
export type Version = (typeof versions)[number];

/** The version that brought it, alone or with the last one that has it. */
export type Span = Version | readonly [since: Version, until: Version];

/**
 * The source of a fact: an OpenAPI file of the framework, its guidelines, both, the description of the service, or a
 * dialect.
 */
export type Source = 'file' | 'guidelines' | 'both' | 'service' | 'dialect';

/** The software whose edited copies of the files say what no file of the framework says. */
export type Dialect = 'adorsys';

/** The sources of a fact, each with its own versions. A fact without file and guidelines is no framework's. */
export interface Origin {
  readonly file?: Span;
  readonly guidelines?: Span;
  readonly service?: true;
  readonly dialect?: Dialect;
}

/** A fact that file and guidelines have alike. */
export const both = (span: Span): Origin => ({ file: span, guidelines: span });
/** A fact that only the OpenAPI files have. */
export const inFile = (span: Span): Origin => ({ file: span });
/** A fact that only the guidelines (or their errata) have. */
export const inGuidelines = (span: Span): Origin => ({ guidelines: span });
/** A fact of the description of the service. */
export const ofService: Origin = { service: true };
/** A fact of the ASPSP software of adorsys and its copies of the files. */
export const ofAdorsys: Origin = { dialect: 'adorsys' };
/** The origin of a fact that every version has. */
export const always: Origin = both('1.3.2');

/** The file and the guidelines that a framework is judged by: there is no file 1.3.2, so that of 1.3.3 stands for it. */
export const frameworks = {
  '1.3.2': { file: '1.3.3', guidelines: '1.3.2' },
  '1.3.6': { file: '1.3.6', guidelines: '1.3.6' },
  '1.3.8': { file: '1.3.8', guidelines: '1.3.8' },
  '1.3.11': { file: '1.3.11', guidelines: '1.3.11' },
  '1.3.12': { file: '1.3.12', guidelines: '1.3.12' },
} as const satisfies Record<string, { readonly file: Version; readonly guidelines: Version }>;

/** The framework version whose contract is spoken. */
export type Framework = keyof typeof frameworks;

/** Returns the version of the OpenAPI file by which a framework is judged. */
export const fileVersionOf = (framework: Framework): Version => frameworks[framework].file;

/** All frameworks, oldest first. */
export const frameworkNames = Object.keys(frameworks) as readonly Framework[];

const place = (version: Version): number => versions.indexOf(version);
const sinceIn = (span: Span): Version => (typeof span === 'string' ? span : span[0]);
const untilIn = (span: Span): Version | undefined => (typeof span === 'string' ? undefined : span[1]);

function covers(span: Span | undefined, at: Version): boolean {
  if (span === undefined || place(sinceIn(span)) > place(at)) return false;
  const until = untilIn(span);
  return until === undefined || place(at) <= place(until);
}

/** Returns where a framework states the fact: in its file, its guidelines or both; undefined for neither. */
export function saidIn(
  framework: Framework,
  { file, guidelines }: Origin,
): 'file' | 'guidelines' | 'both' | undefined {
  const at = frameworks[framework];
  const [byFile, byText] = [covers(file, at.file), covers(guidelines, at.guidelines)];
  if (byFile && byText) return 'both';
  return byFile ? 'file' : byText ? 'guidelines' : undefined;
}

/** Tells whether a framework has the fact. */
export function isIn(framework: Framework, origin: Origin): boolean {
  return saidIn(framework, origin) !== undefined;
}

/** Returns who says the fact, whatever the version. */
export function sourceOf({ file, guidelines, service }: Origin): Source {
  if (file !== undefined && guidelines !== undefined) return 'both';
  if (file !== undefined) return 'file';
  if (guidelines !== undefined) return 'guidelines';
  return service === true ? 'service' : 'dialect';
}

/**
 * Returns the version of the framework that brought the fact, the earlier of file and guidelines; undefined if no
 * framework has it.
 */
export function sinceOf({ file, guidelines }: Origin): Version | undefined {
  return [file, guidelines]
    .flatMap((span) => (span === undefined ? [] : [sinceIn(span)]))
    .sort((one, other) => place(one) - place(other))[0];
}

/** Returns the last version of the framework that has the fact; undefined where it is still there, or in no framework. */
export function untilOf({ file, guidelines }: Origin): Version | undefined {
  const ends = [file, guidelines].flatMap((span) => (span === undefined ? [] : [untilIn(span)]));
  if (ends.length === 0 || ends.includes(undefined)) return undefined;
  return ends.flatMap((end) => end ?? []).sort((one, other) => place(other) - place(one))[0];
}

/** Returns the version behind another one; undefined for the newest. */
export function versionAfter(version: Version): Version | undefined {
  return versions[place(version) + 1];
}

/** Returns the newer one of two versions. */
export function newer(one: Version, other: Version): Version {
  return place(one) < place(other) ? other : one;
}

/** Returns a source in words for a person. */
export function sourceText(source: Source, dialect: Dialect = 'adorsys'): string {
  switch (source) {
    case 'both':
      return 'file and guidelines';
    case 'file':
      return 'file only';
    case 'guidelines':
      return 'guidelines only';
    case 'service':
      return 'the service';
    case 'dialect':
      return `${dialect} dialect, in no framework`;
  }
}

/** Returns the versions of file and guidelines in words where they are not the same; undefined where one version says all. */
export function versionsText({ file, guidelines }: Origin): string | undefined {
  const last = untilOf({ ...(file && { file }), ...(guidelines && { guidelines }) });
  if (file === undefined || guidelines === undefined || String(file) === String(guidelines))
    return last === undefined ? undefined : `until ${last}`;
  return `guidelines ${spanText(guidelines)}, file ${spanText(file)}`;
}

const spanText = (span: Span): string => {
  const until = untilIn(span);
  return until === undefined ? `since ${sinceIn(span)}` : `${sinceIn(span)} to ${until}`;
};
